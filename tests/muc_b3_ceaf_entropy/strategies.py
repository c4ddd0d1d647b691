"""Random documents for hypothesis."""

from hypothesis import strategies as st

NAMES = "abcdefghi"


def partition(labels):
    """Clusters from {mention: label}, label None for a mention that this side lacks."""
    clusters = {}
    for mention, label in labels.items():
        if label is not None:
            clusters.setdefault(label, []).append(mention)
    return list(clusters.values())


def partitions(n_mentions, same_mentions=False):
    """A key and a response of up to n mentions, each side with its own or all of them."""
    label = st.integers(0, 4) if same_mentions else st.one_of(st.none(), st.integers(0, 4))
    labels = st.lists(st.tuples(label, label), max_size=n_mentions)
    return labels.map(
        lambda pairs: tuple(partition(dict(zip(NAMES, side))) for side in (list(zip(*pairs)) or [(), ()]))
    )


documents = partitions(9)
same_mention_documents = partitions(9, same_mentions=True)
