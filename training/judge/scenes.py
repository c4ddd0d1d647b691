"""Everyday sentences by a small grammar, with others that say the same and others that nearly do.

A set is a list of values that differ in meaning; the forms of one value, divided by "|", mean the
same. A statement has patterns that mean the same (`same`) and patterns that do not (`other`), over
slots filled from sets: a paraphrase takes another pattern and other forms of the same values;
anything else changes a value, exchanges two, or takes a pattern of `other`.
"""

import re
from pathlib import Path

PEOPLE = """a man|a guy|one man
a woman|a lady|one woman
a boy|a young boy|a little boy|a small boy
a girl|a young girl|a little girl
a child|a kid|a young child
an old man|an elderly man
an old woman|an elderly woman|an elderly lady
a police officer|a policeman|a cop
a doctor|a physician
a soldier|a military man
a cook|a chef
a teacher|a schoolteacher
a farmer
a tourist
a girl in a red dress|a girl wearing a red dress
a man with a beard|a bearded man
a woman in a blue coat|a woman wearing a blue coat
a man in a black hat|a man with a black hat|a man wearing a black hat
a dog|one dog
a brown dog|a dog with brown fur
a cat|one cat
a horse|one horse
a monkey
a baby|an infant
two men|a pair of men|two guys
two women|a pair of women|two ladies
two boys|two young boys
two dogs|a pair of dogs
three men
three children|three kids
some children|a few children|some kids
a group of people|several people|some people|a bunch of people
a group of men|several men|some men
many people|a crowd of people|a large crowd
a couple|a man and a woman
a mother and her son|a woman with her son
a father and his daughter|a man with his daughter"""

# What they do; after "=", the passive.
DOING = """playing the guitar|playing a guitar|strumming a guitar = a guitar is being played by
playing the piano|playing a piano = a piano is being played by
playing the drums|drumming = drums are being played by
singing a song|singing = a song is being sung by
slicing an onion|cutting an onion|chopping up an onion = an onion is being cut by|an onion is being sliced by
peeling a potato|taking the skin off a potato = a potato is being peeled by
slicing a carrot|cutting a carrot into slices = a carrot is being sliced by
frying eggs|cooking eggs in a pan = eggs are being fried by
mixing some dough|kneading dough = dough is being mixed by
eating a sandwich|having a sandwich = a sandwich is being eaten by
eating an apple|munching an apple = an apple is being eaten by
drinking water|drinking some water = water is being drunk by
drinking coffee|having a coffee = coffee is being drunk by
reading a book|looking through a book = a book is being read by
reading a newspaper|reading the paper = a newspaper is being read by
writing a letter = a letter is being written by
painting a picture|painting = a picture is being painted by
riding a bike|riding a bicycle|cycling = a bicycle is being ridden by
riding a horse|on horseback = a horse is being ridden by
driving a car|driving = a car is being driven by
washing a car|cleaning a car = a car is being washed by
kicking a ball|kicking a football = a ball is being kicked by
throwing a ball|tossing a ball = a ball is being thrown by
catching a ball = a ball is being caught by
playing football|playing soccer|having a game of soccer =
playing chess|having a game of chess = chess is being played by
playing cards|having a card game = cards are being played by
running|jogging =
running a race|competing in a race =
walking|taking a walk|strolling =
dancing|doing a dance =
sleeping|asleep|taking a nap =
sitting|seated =
standing|standing up =
jumping|leaping|jumping up and down =
swimming|having a swim =
climbing a tree|climbing up a tree = a tree is being climbed by
climbing a wall|climbing up a wall = a wall is being climbed by
talking|chatting|having a conversation =
talking on the phone|speaking on the phone|making a phone call =
laughing|having a laugh =
crying|in tears|weeping =
fighting|having a fight =
shopping|buying things|doing some shopping =
waiting for a bus|waiting for the bus =
taking a photo|taking a picture|taking photographs = a photo is being taken by
watching television|watching TV = television is being watched by
looking at a painting = a painting is being looked at by
cutting the grass|mowing the lawn = the lawn is being mowed by|the grass is being cut by
planting flowers = flowers are being planted by
building a house|constructing a house = a house is being built by
repairing a roof|fixing a roof = a roof is being repaired by
carrying a box|holding and moving a box = a box is being carried by
pushing a cart|pushing a trolley = a cart is being pushed by
holding a sign|holding up a sign = a sign is being held by
opening a door = a door is being opened by
closing a door|shutting a door = a door is being closed by
feeding the birds|giving food to the birds = the birds are being fed by
chasing a cat|running after a cat = a cat is being chased by
chasing a dog|running after a dog = a dog is being chased by
smiling at the camera|looking at the camera with a smile =
doing yoga|practising yoga =
lifting weights|doing weight training = weights are being lifted by
skiing =
skateboarding|riding a skateboard =
surfing|riding a wave =
fishing|trying to catch fish =
doing homework =
working on a computer|using a computer|typing on a computer = a computer is being used by
resting|relaxing|having a rest =
giving a speech|making a speech|speaking to an audience = a speech is being given by
protesting|taking part in a protest =
crossing the street|going across the street|crossing the road = the street is being crossed by"""

PLACES = """in the park|in a park
on the beach|at the beach
in the street|on the street|in a street
in the kitchen|in a kitchen
in the garden|in a garden|in the yard
in front of a house|outside a house
in the snow|on the snow
in the water
in a field|in a grassy field|on the grass
on a stage|on stage
in a restaurant|at a restaurant
in a classroom|at school
at the station|in a station
at home|in the house
on a bench
on a roof|on top of a roof
near a lake|by a lake|beside a lake
near a fountain|next to a fountain
in the mountains
in the city|in town
in a crowded market|in a busy market
on a boat
outdoors|outside|in the open air
indoors|inside
behind a fence
in the rain|while it is raining
at night|during the night
on a sunny day|on a day with sunshine"""

THOUGHTS = """for a friend|to win a prize|because it is a holiday|before going home|for the first time|after work|\
for a competition|while the others are watching|to earn some money|for the school play"""

NAMES = """Anna
Ben
Clara
David
Emma
Frank
Grace
Henry
Maria
Paul
Sarah
Tom
my brother
my sister
the manager|the boss
the neighbour|the man next door
the teacher
the nurse
the lawyer|the attorney
the boy
the girl
the driver
the captain
the president
the professor
the journalist|the reporter
the engineer
the mayor"""

FIRMS = """the company|the firm
the bank
the airline
the city council|the council
the government
the hospital
the school
the team
the union
the newspaper
the museum
the court
the police
Northwind Motors
Delta Foods
Harper & Lane"""

TOPLACE = """Paris
London
Berlin
Rome
Madrid
Chicago
Boston
Tokyo
the airport
the station
the office
the village
the coast|the seaside
the market
the hospital
the library
the mountains
the city centre|downtown"""

THINGS = """the car|the automobile
the book
the letter
the house
the key
the bicycle|the bike
the report
the phone|the telephone
the painting
the ticket
the laptop|the notebook computer
the watch
the bag
the camera
the guitar
the lamp
the sofa|the couch
the documents|the papers
the money|the cash
the medicine
the cake
the flowers
the machine"""

WHEN = """at noon|at twelve o'clock|at midday
at midnight|at twelve at night
in the morning
in the evening
at six o'clock|at six
at three o'clock|at 3 p.m.|at three in the afternoon
at half past eight|at 8:30
on Monday
on Tuesday
on Friday
on Sunday
yesterday|the day before today
last week|a week ago
last month
last year
in May
in December
in 1998
in 2010
two days ago
three weeks ago"""

FUTURE = """at noon|at twelve o'clock|at midday
at six o'clock|at six
at half past eight|at 8:30
tomorrow|the day after today
next week|in the coming week
next month
on Monday
on Friday
on Sunday
tonight|this evening
in the spring"""

DO = """leave|go away
sing
stay|remain
help|assist
win
apologise|say sorry
pay
come back|return
call|phone|telephone
cook
dance
drive
sleep
study|learn
wait
work
listen
resign|step down"""

ADJECTIVES = """big|large ~ small
happy|glad|cheerful ~ sad
fast|quick ~ slow
expensive|costly|dear ~ cheap
difficult|hard ~ easy
tired|weary ~ rested
rich|wealthy ~ poor
clean ~ dirty
dangerous|risky ~ safe
cold|chilly ~ hot
beautiful|lovely ~ ugly
old ~ new
strong ~ weak
quiet|silent ~ noisy
famous|well known ~ unknown
ill|sick ~ healthy
angry|furious ~ calm
smart|clever|intelligent ~ stupid
full ~ empty
important ~ unimportant
boring|dull ~ exciting
broken|out of order ~ working
late ~ early
open ~ closed
busy ~ free
wet ~ dry
friendly|kind ~ unfriendly
brave|courageous ~ cowardly"""

SUBJECTS = """the film|the movie
the exam|the test
the room
the hotel
the soup
the road
the dog
the child|the kid
the shop|the store
the train
the weather
the museum
the restaurant
the new teacher
her husband
his wife
the town
the water
the job|the work
the story
the garden
the machine"""

NUMBERS = """two|2
three|3
four|4
five|5
seven|7
ten|10
twelve|12|a dozen
twenty|20
fifty|50
a hundred|100
two hundred|200
a thousand|1,000
a million|1,000,000"""

COUNTED = """people|persons
cars
houses
students
workers|employees
tickets
soldiers
books
trees
passengers
jobs
dogs
flights"""

MORE = """tea
coffee
milk
rice
bread
fish
meat
music
football|soccer
tennis
winter
summer
the sea|the ocean
the countryside
cats
dogs
comedies
trains
planes|aeroplanes"""

# For the statements of contrasts.txt; after "~", the base form, or the opposite.
CROWD = """students|pupils
guests|visitors
workers|employees
members
players
children|kids
soldiers
passengers|travellers
teachers
doctors|physicians
neighbours|people next door
tourists
candidates|applicants
voters
witnesses"""

ACTS = """signed the letter|put a signature on the letter ~ sign the letter|put a signature on the letter
left early|went home early ~ leave early|go home early
passed the exam|got through the exam ~ pass the exam|get through the exam
read the report|went through the report ~ read the report|go through the report
paid the bill|settled the bill ~ pay the bill|settle the bill
answered the question|replied to the question ~ answer the question|reply to the question
came to the party|went to the party ~ come to the party|go to the party
voted for the plan|gave the plan a vote ~ vote for the plan|give the plan a vote
saw the accident|witnessed the accident ~ see the accident|witness the accident
slept well|had a good sleep ~ sleep well|have a good sleep
asked for help|requested help ~ ask for help|request help
bought a ticket|got a ticket ~ buy a ticket|get a ticket
told the truth|spoke the truth ~ tell the truth|speak the truth
called the police|rang the police ~ call the police|ring the police
finished the work|completed the work ~ finish the work|complete the work
ate the soup|had the soup ~ eat the soup|have the soup
repaired the roof|fixed the roof ~ repair the roof|fix the roof
lost the key|mislaid the key ~ lose the key|mislay the key
apologised|said sorry ~ apologise|say sorry
sold the house|found a buyer for the house ~ sell the house|find a buyer for the house
learned French|studied French ~ learn French|study French
closed the window|shut the window ~ close the window|shut the window
won a prize|was given a prize ~ win a prize|get a prize
stopped smoking|gave up smoking ~ stop smoking|give up smoking
washed the dishes|did the dishes ~ wash the dishes|do the dishes"""

SHARE = """half|50 percent|50 %|one in two
a quarter|25 percent|25 %|one in four|one fourth
a third|one third|one in three
three quarters|75 percent|75 %|three out of four|three in four
two thirds|two out of three
a fifth|20 percent|20 %|one in five
a tenth|10 percent|10 %|one in ten|ten percent
one percent|1 %|one in a hundred"""

STATE = """alive|still living ~ dead
awake ~ asleep|sleeping
married ~ unmarried|single
present|there ~ absent
right|correct ~ wrong|mistaken
sober ~ drunk
innocent ~ guilty
guilty|to blame ~ innocent
dead|no longer alive ~ alive
asleep|sleeping ~ awake
absent|not there ~ present
single|unmarried ~ married
wrong|mistaken ~ right
insured ~ uninsured
employed|in work ~ unemployed|out of work
unemployed|out of work ~ employed
armed ~ unarmed
able to swim ~ unable to swim
willing to help|ready to help ~ unwilling to help
honest|sincere ~ dishonest|insincere"""

DOOR = """the door
the gate
the shop|the store
the window
the museum
the safe
the bridge
the road"""

CLOSING = """open ~ closed|shut
closed|shut ~ open"""

CLAIMS = """the story
the claim|the assertion
the rumour
the report
the answer
the theory
what he said"""

TRUTH = """true ~ false|untrue
false|untrue ~ true
correct|right ~ wrong|incorrect
wrong|incorrect|mistaken ~ right|correct
complete ~ incomplete
incomplete ~ complete
credible|believable ~ incredible|unbelievable"""

OPPOSITES = """passed the test ~ fail the test
failed the test ~ pass the test
remembered the appointment ~ forget the appointment
forgot the appointment ~ remember the appointment
accepted the offer|took the offer ~ reject the offer|turn down the offer
rejected the offer|turned down the offer ~ accept the offer|take the offer
stayed|remained ~ leave|go away
left|went away ~ stay|remain
told the truth ~ lie
lied ~ tell the truth
kept the promise ~ break the promise
broke the promise ~ keep the promise
arrived on time ~ arrive late
arrived late ~ arrive on time
survived the crash|lived through the crash ~ die in the crash
died in the crash|was killed in the crash ~ survive the crash
missed the train ~ catch the train
caught the train ~ miss the train
obeyed the order|followed the order ~ disobey the order
disobeyed the order ~ obey the order|follow the order
agreed with me ~ disagree with me
disagreed with me ~ agree with me
stayed awake ~ fall asleep
fell asleep ~ stay awake
overlooked the mistake|missed the mistake ~ notice the mistake|spot the mistake
noticed the mistake|spotted the mistake ~ overlook the mistake|miss the mistake
ignored the warning ~ heed the warning|listen to the warning
heeded the warning|listened to the warning ~ ignore the warning
kept quiet|stayed silent ~ speak|say anything
spent the money ~ keep the money|save the money
kept the secret ~ give the secret away|reveal the secret
revealed the secret|gave the secret away ~ keep the secret"""

COMPARE = """taller ~ shorter|smaller
shorter ~ taller|bigger
older ~ younger
younger ~ older
faster|quicker ~ slower
slower ~ faster|quicker
stronger ~ weaker
weaker ~ stronger
richer|wealthier ~ poorer
poorer ~ richer|wealthier
heavier ~ lighter
lighter ~ heavier
more careful ~ less careful
less careful ~ more careful
more experienced ~ less experienced
better paid ~ worse paid
louder|noisier ~ quieter
happier ~ unhappier|less happy
worse at chess ~ better at chess
better at chess ~ worse at chess"""

TRAIT = """careful|cautious
patient
intelligent|clever
generous
famous|well known
helpful
honest
punctual|on time
popular|well liked
experienced
polite|courteous
curious|inquisitive"""

CITIES = """Paris
London
Berlin
Rome
Madrid
Chicago
Boston
Tokyo
Oslo
Cairo
Lima
Toronto"""

EVENTS = """the storm
the fire|the blaze
the strike
the accident|the crash
the war
the drought
the flood|the flooding
the argument|the quarrel
the mistake|the error"""

EFFECTS = """a power cut|a blackout
a shortage of food
a long delay
a rise in prices
a panic
a traffic jam
a loss of jobs
a great deal of damage"""

DURATION = """half an hour|30 minutes|thirty minutes
a quarter of an hour|15 minutes|fifteen minutes
three quarters of an hour|45 minutes|forty-five minutes
an hour|one hour|60 minutes|sixty minutes
an hour and a half|90 minutes|one and a half hours|ninety minutes
two hours|2 hours|120 minutes
a day|24 hours|twenty-four hours
two days|48 hours|2 days
a week|seven days|7 days
a fortnight|two weeks|14 days|fourteen days
half a year|six months|6 months
a year|twelve months|12 months
a year and a half|18 months|eighteen months
ten years|a decade|10 years
a hundred years|a century|100 years
a minute|60 seconds|sixty seconds"""

CLOCK = """at 7 p.m.|at seven in the evening|at 19:00|at 7 o'clock in the evening
at 3:15|at a quarter past three|at three fifteen
at 4:45|at a quarter to five|at four forty-five
at 9:30 a.m.|at half past nine in the morning|at nine thirty in the morning
at 8:50|at ten to nine|at eight fifty
at 8:10|at ten past eight|at eight ten
at 2 p.m.|at two in the afternoon|at 14:00
at 6 a.m.|at six in the morning|at 06:00
at noon|at midday|at 12:00|at twelve o'clock
at midnight|at 0:00|at twelve at night
at 10:20|at twenty past ten|at ten twenty
at 11:40|at twenty to twelve|at eleven forty
at 5:30|at half past five|at five thirty
at 9 p.m.|at nine in the evening|at 21:00
at 10:05|at five past ten|at ten oh five"""

AMOUNTS = """half a million|500,000
a quarter of a million|250,000
1.5 million|one and a half million|1,500,000
two million|2 million|2,000,000
2.5 million|two and a half million|2,500,000
a billion|one billion|1,000 million|1,000,000,000
half a billion|500 million
three thousand|3,000
fifteen hundred|1,500|one thousand five hundred
twelve hundred|1,200|one thousand two hundred
ten thousand|10,000
a hundred thousand|100,000|one hundred thousand
twenty-five thousand|25,000"""

PRICES = """five dollars|$5
twenty pounds|£20
fifty cents|half a dollar|$0.50
a hundred euros|€100|100 euros
ninety-nine dollars|$99
twelve euros fifty|€12.50
thirty pounds|£30
a thousand dollars|$1,000|one thousand dollars"""

WEIGHTS = """a kilo|one kilogram|1 kg|1,000 grams
half a kilo|500 grams|500 g
two kilos|2 kg|two kilograms
a ton|1,000 kilos|one ton
two and a half kilos|2.5 kg|2,500 grams
a hundred grams|100 g|100 grams
fifteen kilos|15 kg"""

LENGTHS = """two metres|2 m|200 centimetres
a metre and a half|1.5 metres|150 centimetres
a kilometre|1,000 metres|one kilometre|1 km
half a kilometre|500 metres
twelve inches|a foot|one foot
three feet|a yard|one yard
half a metre|50 centimetres|50 cm
twenty metres|20 m"""

PLACES3 = """first|1st
second|2nd
third|3rd
fourth|4th
fifth|5th
tenth|10th"""

CHANGE = """doubled|became twice as large|rose by 100 percent
halved|fell by half|fell by 50 percent
tripled|became three times as large
rose by a third|grew by one third
fell by a quarter|dropped by 25 percent|shrank by one fourth
rose by ten percent|grew by a tenth|went up by 10 %
fell to zero|dropped to nothing
stayed the same|did not change"""

DATES = """1 May|May 1st|the first of May|May 1
3 June|June 3rd|the third of June
12 August|August 12|the twelfth of August
20 October|October 20th|the twentieth of October
31 December|December 31st|the last day of the year|New Year's Eve
24 December|Christmas Eve|December 24
1 January|New Year's Day|January 1st
15 March|March 15th|the fifteenth of March|the middle of March"""

AGE = """twelve|12
eighteen|18
twenty-one|21
thirty|30
thirty-five|35
forty|40
sixty-four|64
eighty|80
ninety-nine|99"""

OFTEN = """twice|two times
once|one time|a single time
three times|on three occasions
every day|daily|each day
every week|weekly|once a week
every year|annually|once a year
every other day|every two days|every second day
twice a year|every six months"""

SETS = {name.lower(): value.splitlines() for name, value in list(globals().items()) if name.isupper()}
SETS["adjective"] = SETS.pop("adjectives")
# Patterns over slots: {set}, {set.2} for a second value, {set^} for its opposite (after "~").
STATEMENTS, CONTRASTS = (
    Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").strip() for name in ("statements", "contrasts")
)


def values(block: str) -> list:
    """The slots of a statement: set and number."""
    return sorted(set(re.findall(r"\{(\w+(?:\.2)?)", block)))


def capital(text: str, rng) -> str:
    text = text[:1].upper() + text[1:]
    return text if text[-1] in "?." else text + (rng.random() < 0.9) * "."


class Statement:
    """Patterns that mean the same ("= ...") and others ("/ ..."), a line each."""

    def __init__(self, block: str):
        lines = block.splitlines()
        self.same, self.other = ([line[2:] for line in lines if line[0] == mark] for mark in "=/")
        self.slots = values(block)

    def draw(self, rng) -> dict:
        """A value for each slot, no value twice."""
        drawn = {}
        for slot in self.slots:
            drawn[slot] = rng.choice([v for v in SETS[slot.partition(".")[0]] if v not in drawn.values()])
        return drawn

    def say(self, pattern: str, drawn: dict, rng) -> str:
        """The pattern with a form of each value; ^ takes the opposite."""

        def form(match):
            name, opposite = match[1], match[2]
            options = drawn[name].partition(" ~ ")
            return rng.choice((options[2] if opposite else options[0]).split("|"))

        return capital(re.sub(r"\{(\w+(?:\.2)?)(\^?)\}", form, pattern), rng)

    def pair(self, rng) -> tuple:
        drawn = self.draw(rng)
        first = rng.choice(self.same)
        text = self.say(first, drawn, rng)
        how = rng.random()
        if how < 0.5 or not self.slots and how < 0.6:
            second = rng.choice([p for p in self.same if p != first])
            return text, self.say(second, drawn, rng), 1
        if how < 0.75 or not self.slots:
            return text, self.say(rng.choice(self.other), drawn, rng), 0
        changed = dict(drawn)
        doubled = [slot for slot in self.slots if slot + ".2" in drawn]
        if doubled and how < 0.85 and not self.is_symmetric:
            changed[doubled[0]], changed[doubled[0] + ".2"] = drawn[doubled[0] + ".2"], drawn[doubled[0]]
        else:
            slot = rng.choice(self.slots)
            changed[slot] = rng.choice([v for v in SETS[slot.partition(".")[0]] if v not in drawn.values()])
        moved = [slot for slot in self.slots if changed[slot] != drawn[slot]]
        patterns = self.same if in_all(self.same, moved) else self.other
        return text, self.say(rng.choice(patterns), changed, rng), 0

    @property
    def is_symmetric(self) -> bool:
        """Do two names in each other's place give a pattern that means the same?"""
        turned = {p.replace(".2}", ".3}").replace("s}", "s.2}").replace(".3}", "}") for p in self.same}
        return bool(turned & set(self.same))


def in_all(patterns: list, slots: list) -> bool:
    """Does every pattern have all of these slots?"""
    return all("{" + slot in pattern for slot in slots for pattern in patterns)


PLURAL = re.compile(
    r"(two|three|some|several|many|a pair|a few|a bunch|a group|a couple|a (man|woman|mother|father) (and|with) )"
)


class Scene:
    """Somebody does something somewhere, as the caption of a photograph says it."""

    def __init__(self, rng):
        self.who, self.doing, self.place = (rng.choice(SETS[name]) for name in ("people", "doing", "places"))

    def changed(self, rng, slots):
        other = Scene(rng)
        for name in ("who", "doing", "place"):
            if name not in slots:
                setattr(other, name, getattr(self, name))
        return other if all(getattr(other, s) != getattr(self, s) for s in slots) else self.changed(rng, slots)

    def say(self, rng, place=True, negated=False, extra="") -> str:
        who = rng.choice(self.who.split("|"))
        active, _, passive = self.doing.partition(" =")
        ing = rng.choice(active.split("|"))
        where = rng.choice(self.place.split("|")) if place else ""
        be = "are" if PLURAL.match(who) else "is"
        if who.startswith("a ") and rng.random() < 0.25:
            who = "the " + who[2:] if not who.startswith("a group") else who
        how = rng.random()
        if negated:
            text = f"{who} {be} not {ing} {where}" if how < 0.7 or passive else f"there {be} nobody {ing} {where}"
        elif how < 0.2 and passive.strip():
            text = f"{rng.choice(passive.strip().split('|'))} {who} {where}"
        elif how < 0.3 and where:
            text = f"{where}, {who} {be} {ing}"
        elif how < 0.4:
            text = f"there {be} {who} {ing} {where}"
        elif how < 0.55:
            text = f"{who} {ing} {where}"
        else:
            text = f"{who} {be} {ing} {where}"
        return capital(f"{text.strip()} {extra}".strip(), rng)

    def pair(self, rng) -> tuple:
        how, place = rng.random(), rng.random() < 0.6
        text = self.say(rng, place)
        if how < 0.42:
            return text, self.say(rng, place), 1
        if how < 0.48:
            return text, self.say(rng, place, negated=True), 0
        if how < 0.55:  # the second knows more than the first
            return text, self.say(rng, False, extra=rng.choice(THOUGHTS.split("|"))), 0
        slots = rng.choice(
            (
                ["who"],
                ["doing"],
                ["doing"],
                ["doing"],
                ["place"] if place else ["doing"],
                ["who", "doing"],
                ["doing", "place"],
                ["who", "place"],
                ["who", "doing", "place"],
            )
        )
        return text, self.changed(rng, slots).say(rng, place or "place" in slots), 0


ALL, CONTRASTING = ([Statement(block) for block in text.split("\n\n")] for text in (STATEMENTS, CONTRASTS))


def pairs(n: int, rng) -> list:
    """n pairs: three of five statements, the others scenes."""
    pairs = []
    while len(pairs) < n:
        pair = rng.choice(ALL).pair(rng) if rng.random() < 0.6 else Scene(rng).pair(rng)
        if pair[0] != pair[1] or pair[2]:
            pairs.append(pair)
    return pairs


def contrasts(n: int, rng) -> list:
    """n pairs of the statements on quantity, modality, opposites, comparison, converses and numbers."""
    pairs = []
    while len(pairs) < n:
        pair = rng.choice(CONTRASTING).pair(rng)
        if pair[0] != pair[1]:
            pairs.append(pair)
    return pairs
