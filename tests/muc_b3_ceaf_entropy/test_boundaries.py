"""Which mentions are the same but for their boundaries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.muc_b3_ceaf_entropy.match_boundaries import boundary_pairs, extent_of, likeness


@pytest.mark.parametrize(
    "missing, spurious, pairs",
    [
        (["[5, 9]"], ["[5, 8]"], {"[5, 8]": "[5, 9]"}),
        (["5-9"], ["6-9"], {"6-9": "5-9"}),
        (["[0, 10]"], ["[10, 10]"], {}),  # nested: "her" is not "the man who saw her"
        (["[0, 1]"], ["[1, 2]"], {}),  # half of the words in common is not more than half
        (["[0, 2]"], ["[1, 3]"], {"[1, 3]": "[0, 2]"}),
        (["[0, 3]", "[0, 4]"], ["[0, 5]"], {"[0, 5]": "[0, 4]"}),  # the more alike
        (["[0, 3]", "[0, 4]"], ["[0, 5]", "[1, 3]"], {"[0, 5]": "[0, 4]", "[1, 3]": "[0, 3]"}),
        (["1-4,8-9"], ["1-4"], {"1-4": "1-4,8-9"}),
        (["1-4"], ["8,1-4"], {"8,1-4": "1-4"}),
        (["7.1-9"], ["7-9"], {"7-9": "7.1-9"}),
        (["7.1"], ["7.2"], {}),
        (["Ann"], ["Anne"], {}),  # names that say no places
        (["3-5'"], ["3-6"], {"3-6": "3-5'"}),
        (["[5, 3]"], ["[5, 4]"], {}),
        (["[0, 1000000000000]"], ["[0, 1000000000001]"], {"[0, 1000000000001]": "[0, 1000000000000]"}),
    ],
)
def test_pairs(missing, spurious, pairs):
    assert boundary_pairs(missing, spurious) == pairs


@pytest.mark.parametrize(
    "one, other, alike",
    [
        ("7.1-9", "7.1-9", 1.0),
        ("7.1-9", "7.2-9", 2 * 3 / (4 + 4)),  # three words, and on each side a node that the other has not
        ("7.1", "7.2", 0.0),
        ("1-4,8-9", "3-8", 2 * 3 / (6 + 6)),
    ],
)
def test_likeness(one, other, alike):
    assert likeness(extent_of(one), extent_of(other)) == alike


span = st.tuples(st.integers(0, 12), st.integers(0, 6)).map(lambda pair: f"[{pair[0]}, {pair[0] + pair[1]}]")
spans = st.lists(span, unique=True)


@given(spans, spans)
def test_nothing_alike_is_overlooked(missing, spurious):
    """What stays unpaired is unlike every unpaired mention of the other side."""
    pairs = boundary_pairs(missing, spurious)
    assert len(set(pairs.values())) == len(pairs)
    for one in set(missing) - set(pairs.values()):
        for other in set(spurious) - set(pairs):
            assert likeness(extent_of(one), extent_of(other)) <= 0.5
