"""Everyday sentences written by a small grammar, with others that say the same and others that nearly do.

A set is a list of values that differ in meaning; the forms of one value, divided by "|", mean the same. A statement has
patterns that mean the same (``same``) and patterns that do not (``other``), over slots filled from sets: a paraphrase
takes another pattern and other forms of the same values; anything else changes a value, exchanges two, or takes a
pattern of ``other``.
"""

import re

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

SETS = {name.lower(): value.splitlines() for name, value in list(globals().items()) if name.isupper()}
SETS["adjective"] = SETS.pop("adjectives")

# same patterns // other patterns. A slot is {set} or {set.2}, a second, different value; {x!} has a capital.
STATEMENTS = """
{names} gave {things} to {names.2} = {names} gave {names.2} {things} = {names.2} was given {things} by {names} = {names.2} got {things} from {names} = {names.2} received {things} from {names} // {names.2} gave {things} to {names} = {names} took {things} from {names.2} = {names} did not give {names.2} {things} = {names} lent {things} to {names.2} = {names} wants to give {things} to {names.2} = {names} gave {names.2} a call
{names} sold {things} to {names.2} = {names} sold {names.2} {things} = {names.2} bought {things} from {names} = {names.2} purchased {things} from {names} = {things} was sold to {names.2} by {names} // {names.2} sold {things} to {names} = {names} bought {things} from {names.2} = {names} refused to sell {things} to {names.2} = {names} showed {things} to {names.2}
{names} broke {things} = {things} was broken by {names} = it was {names} who broke {things} // {names} repaired {things} = {names} almost broke {things} = {names} did not break {things} = {names} found {things} = {names} stole {things}
{names} found {things} in {toplace} = {things} was found in {toplace} by {names} = in {toplace}, {names} found {things} = {names} discovered {things} in {toplace} // {names} lost {things} in {toplace} = {names} never found {things} in {toplace} = {names} is looking for {things} in {toplace} = {names} left {things} in {toplace}
{names} met {names.2} {when} = {when} {names} met {names.2} = {names.2} and {names} met {when} = {names.2} met {names} {when} = {names} had a meeting with {names.2} {when} // {names} called {names.2} {when} = {names} did not meet {names.2} {when} = {names} wanted to meet {names.2} {when} = {names} wrote to {names.2} {when} = {names} married {names.2} {when}
{names} followed {names.2} to {toplace} = {names.2} was followed to {toplace} by {names} = {names} went after {names.2} to {toplace} // {names.2} followed {names} to {toplace} = {names} took {names.2} to {toplace} = {names} waited for {names.2} in {toplace} = {names} left {toplace}
{names} helped {names.2} = {names.2} was helped by {names} = {names} gave {names.2} a hand = {names.2} received help from {names} = {names} assisted {names.2} // {names.2} helped {names} = {names} refused to help {names.2} = {names} needs help from {names.2} = {names} thanked {names.2} for the help = {names} was of no help to {names.2}
{names} accused {names.2} of lying = {names.2} was accused of lying by {names} = {names} said that {names.2} had lied = {names} called {names.2} a liar // {names.2} accused {names} of lying = {names} defended {names.2} = {names} lied to {names.2} = {names} believed every word of {names.2} = {names} admitted lying to {names.2}
{names} wants {names.2} to {do} = what {names} wants is for {names.2} to {do} = {names} would like {names.2} to {do} = {names} hopes that {names.2} will {do} = it is the wish of {names} that {names.2} {do} // {names.2} wants {names} to {do} = {names} wants to {do} = {names} does not want {names.2} to {do} = {names} told {names.2} not to {do} = {names} thinks that {names.2} will never {do} = {names} saw {names.2} {do}
{names} promised {names.2} to {do} = {names} made a promise to {names.2} to {do} = {names.2} was promised by {names} that he would {do} = {names} gave {names.2} the assurance that he would {do} // {names.2} promised {names} to {do} = {names} ordered {names.2} to {do} = {names} refused to {do} = {names} asked {names.2} to {do}
{names} believes {names.2} = {names} thinks that {names.2} tells the truth = {names.2} is believed by {names} = {names} has faith in what {names.2} says // {names.2} believes {names} = {names} does not believe {names.2} = {names} doubts what {names.2} says = {names} knows {names.2} well = {names} likes {names.2}
{names} taught {names.2} to {do} = {names.2} was taught to {do} by {names} = {names.2} learned from {names} how to {do} = {names} showed {names.2} how to {do} // {names.2} taught {names} to {do} = {names} learned from {names.2} how to {do} = {names} told {names.2} to {do} = {names.2} never learned to {do}
{names} can {do} = {names} is able to {do} = {names} is capable and can {do} = it is possible for {names} to {do} // {names} cannot {do} = {names} must {do} = {names} will {do} = {names} does not want to {do} = {names} used to {do}
{names} must {do} = {names} has to {do} = {names} is obliged to {do} = it is necessary for {names} to {do} = {names} needs to {do} // {names} can {do} = {names} does not have to {do} = {names} may {do} = {names} must not {do} = {names} will not {do}
{names} began to {do} = {names} started to {do} // {names} stopped trying to {do} = {names} forgot to {do} = {names} used to {do} = {names} refused to {do}
{names} forgot to {do} = {names} did not remember to {do} = {names} failed to remember to {do} // {names} remembered to {do} = {names} began to {do} = {names} decided to {do} = {names} never forgot to {do}
{names} lives in {toplace} = {names} has a home in {toplace} = the home of {names} is in {toplace} = {names} resides in {toplace} = it is in {toplace} that {names} lives // {names} works in {toplace} = {names} no longer lives in {toplace} = {names} used to live in {toplace} = {names} grew up in {toplace} = {names} wants to live in {toplace} = {names} is visiting {toplace}
{names} travelled to {toplace} {when} = {when} {names} travelled to {toplace} = {names} made a trip to {toplace} {when} = {names} went to {toplace} {when} = {when}, {names} took a journey to {toplace} // {names} returned from {toplace} {when} = {names} will travel to {toplace} soon = {names} was not in {toplace} {when} = {names} left {toplace} {when} = {names} cancelled the trip to {toplace}
the train to {toplace} leaves {future} = {future} the train to {toplace} leaves = the train departs for {toplace} {future} = {future}, the train sets off for {toplace} // the train from {toplace} arrives {future} = the train to {toplace} is late = the train to {toplace} does not leave {future} = the bus to {toplace} leaves {future} = there is no train to {toplace}
the ship arrives {future} = {future} the ship will arrive = the arrival of the ship is {future} = the ship gets in {future} = the ship reaches the harbour {future} // the ship leaves {future} = the ship is full {future} = the ship has already arrived = the ship will not arrive {future} = the ship was sold {future}
the meeting starts {future} = {future} the meeting begins = the start of the meeting is {future} = the meeting gets under way {future} // the meeting ends {future} = the meeting was cancelled = the meeting lasts too long = the meeting is not {future} = the concert starts {future}
the meeting was cancelled = the meeting was called off = the meeting will not take place = there will be no meeting // the meeting was moved {future} = the meeting took place = the meeting was long = nobody knew about the meeting = the meeting is {future}
the match was postponed because of the rain = because of the rain, the match was put off = rain caused the match to be postponed = the game was put off owing to rain = it rained, so the match was postponed // the match was played in spite of the rain = the match was won in the rain = the match was cancelled because of the heat = the rain stopped before the match = the concert was postponed because of the rain
it rained {when} = {when} it rained = there was rain {when} = {when} rain fell = we had rain {when} // it snowed {when} = it was dry {when} = it did not rain {when} = the sun was shining {when} = it was very windy {when} = it will rain {future}
{subjects} is very {adjective} = {subjects} is really {adjective} = {subjects} is extremely {adjective} = how {adjective} {subjects} is // {subjects} is not {adjective} = {subjects} was {adjective} once = {subjects} is {adjective^} = {subjects} used to be very {adjective^} = {subjects} is not {adjective} at all = {subjects} is less {adjective} than I thought
{subjects} is {adjective} = {subjects} is not {adjective^} = I find {subjects} {adjective} = in my opinion {subjects} is {adjective} // {subjects} is {adjective^} = {subjects} is not {adjective} = nobody said that {subjects} is {adjective} = is {subjects} {adjective}? = I like {subjects} = {subjects} could be {adjective} one day
{names} is taller than {names.2} = {names.2} is shorter than {names} = {names.2} is not as tall as {names} = compared with {names.2}, {names} is taller // {names.2} is taller than {names} = {names} is shorter than {names.2} = {names} is as tall as {names.2} = {names} is older than {names.2} = {names} is not as tall as {names.2}
{names} is older than {names.2} = {names.2} is younger than {names} = {names.2} is not as old as {names} // {names.2} is older than {names} = {names} is younger than {names.2} = {names} is as old as {names.2} = {names} is richer than {names.2}
{names} prefers {more} to {more.2} = {names} likes {more} better than {more.2} = {names} likes {more} more than {more.2} = {names} would rather have {more} than {more.2} // {names} prefers {more.2} to {more} = {names} likes neither {more} nor {more.2} = {names} likes {more} and {more.2} = {names} knows a lot about {more} and {more.2} = {names} likes {more.2} better than {more}
{names} loves {more} = {names} likes {more} a lot = {names} is very fond of {more} = {names} is crazy about {more} = what {names} loves is {more} // {names} hates {more} = {names} does not like {more} = {names} cannot stand {more} = {names} used to like {more} = {names} bought {more} = {names} knows nothing about {more}
{names} hates {more} = {names} cannot stand {more} = {names} does not like {more} at all = {names} dislikes {more} very much // {names} loves {more} = {names} is fond of {more} = {names} does not mind {more} = {names} likes {more} = {names} misses {more}
{names} bought {number!} {counted} = {number!} {counted} were bought by {names} = {names} purchased {number!} {counted} // {names} sold {number!} {counted} = {names} wants {number!} {counted} = {names} bought no {counted} = {names} saw {number!} {counted} = {names} bought more than {number!} {counted}
{firms} hired {number!} {counted} {when} = {when} {firms} took on {number!} {counted} = {number!} {counted} were hired by {firms} {when} = {firms} employed {number!} new {counted} {when} // {firms} dismissed {number!} {counted} {when} = {firms} lost {number!} {counted} {when} = {firms} plans to hire {number!} {counted} = {firms} did not hire any {counted} {when}
there are {number!} {counted} in {toplace} = {toplace} has {number!} {counted} = in {toplace} there are {number!} {counted} = one can find {number!} {counted} in {toplace} // there are no {counted} in {toplace} = there are fewer than {number!} {counted} in {toplace} = there will be {number!} {counted} in {toplace} = {number!} {counted} left {toplace} = there were once {number!} {counted} in {toplace}
more than {number!} {counted} were damaged = over {number!} {counted} were damaged = upwards of {number!} {counted} suffered damage // fewer than {number!} {counted} were damaged = more than {number!} {counted} were repaired = exactly {number!} {counted} were sold = no {counted} were damaged
{firms} bought {firms.2} {when} = {when} {firms} acquired {firms.2} = {firms.2} was bought by {firms} {when} = {firms.2} was taken over by {firms} {when} = {when}, {firms} took over {firms.2} // {firms.2} bought {firms} {when} = {firms} sold {firms.2} {when} = {firms} sued {firms.2} {when} = {firms} wanted to buy {firms.2} {when} = {firms} and {firms.2} worked together {when} = {firms} will not buy {firms.2}
{firms} sued {firms.2} = {firms.2} was sued by {firms} = {firms} took {firms.2} to court = {firms} brought a lawsuit against {firms.2} // {firms.2} sued {firms} = {firms} reached an agreement with {firms.2} = {firms} did not sue {firms.2} = {firms} supports {firms.2} = {firms} won its case against {firms.2}
{firms} raised its prices = {firms} put up its prices = {firms} increased its prices = the prices of {firms} went up // {firms} lowered its prices = {firms} cut its prices = {firms} kept its prices = {firms} plans to raise its prices = {firms} published its prices = {firms} raised its wages
{firms} denied the report = the report was denied by {firms} = {firms} said the report was not true = according to {firms}, the report was false // {firms} confirmed the report = {firms} published the report = {firms} did not comment on the report = {firms} wrote the report = {firms} said the report was true
{firms} opened {when} = {when} {firms} opened its doors = {firms} was opened {when} = the opening of {firms} was {when} // {firms} closed {when} = {firms} was shut {when} = {firms} moved {when} = {firms} burned down {when} = {firms} will open {future}
{firms} said {names} would {do} = {names} would {do}, {firms} said = according to {firms}, {names} would {do} = {firms} announced that {names} would {do} // {names} said {firms} would {do} = {firms} said {names} would not {do} = {firms} hoped {names} would {do} = {firms} denied that {names} would {do} = {firms} asked {names} not to {do}
{names} was born in {toplace} {when} = {when} {names} was born in {toplace} = the birth of {names} took place in {toplace} {when} = {names} came into the world in {toplace} {when} // {names} died in {toplace} {when} = {names} got married in {toplace} {when} = {names} moved to {toplace} {when} = {names} was not born in {toplace} = {names} was arrested in {toplace} {when}
{names} died {when} = {when} {names} died = {names} passed away {when} = the death of {names} came {when} = {names} lost his life {when} // {names} was born {when} = {names} almost died {when} = {names} is still alive = {names} fell ill {when} = {names} retired {when}
{names} is the wife of {names.2} = {names} is married to {names.2} = {names.2} is the husband of {names} = {names.2} is married to {names} // {names} is the sister of {names.2} = {names} is divorced from {names.2} = {names} works for {names.2} = {names} is not married to {names.2} = {names} is a friend of {names.2}
{names} wrote {things} = {things} was written by {names} = the author of {things} is {names} // {names} read {things} = {names} has never written {things} = {names} will write {things} = {names} lost {things}
{names} painted {things} before {names.2} arrived = before {names.2} arrived, {names} painted {things} = {names.2} arrived after {names} had painted {things} // after {names.2} arrived, {names} painted {things} = {names.2} painted {things} before {names} arrived = {names} painted {things} when {names.2} had left = {names} did not paint {things} before {names.2} arrived
{names} left because {names.2} was angry = since {names.2} was angry, {names} left = {names.2} was angry, so {names} left = the anger of {names.2} made {names} leave // {names.2} left because {names} was angry = {names} was angry because {names.2} left = {names} left although {names.2} was angry = {names} stayed because {names.2} was angry = {names.2} was angry because {names} left
{names} said nothing = {names} did not say anything = {names} kept silent = {names} remained silent = not a word came from {names} // {names} said everything = {names} talked for hours = {names} heard nothing = {names} said something = {names} had nothing
nobody saw {names} = {names} was not seen by anyone = no one saw {names} = {names} went unseen // everybody saw {names} = {names} saw nobody = somebody saw {names} = nobody likes {names} = {names} was seen by everyone
everyone likes {names} = {names} is liked by everybody = there is nobody who does not like {names} = {names} is popular with all // no one likes {names} = {names} likes everyone = not everyone likes {names} = few people like {names} = everyone knows {names}
only {names} came = nobody came but {names} = {names} was the only one who came = no one except {names} came // everyone came but {names} = {names} came, too = only {names} stayed away = {names} did not come = {names} came with the others
I don't know where {names} is = I have no idea where {names} is = where {names} is, I do not know = I can't say where {names} is // I know where {names} is = I don't know who {names} is = I don't care where {names} is = I know what {names} did = I do not know when {names} left
could you open the window? = please open the window = would you mind opening the window? = can you open the window, please? // could you close the window? = why did you open the window? = please don't open the window = who opened the window? = please open the door
how much does {things} cost? = what is the price of {things}? = what does {things} cost? = how expensive is {things}? // how old is {things}? = where can I buy {things}? = how much does it cost to repair {things}? = who paid for {things}? = {things} costs too much
where is the nearest station? = how do I get to the closest station? = can you tell me where the nearest station is? = which way is it to the nearest station? // when does the next train leave? = how far is the nearest station? = is there a station here? = where is the nearest hospital? = where is the oldest station?
how old are you? = what is your age? = what age are you? // how are you? = how old is your brother? = where are you from? = when did you come? = how tall are you?
what time is it? = can you tell me the time? = do you know what time it is? // what day is it? = do you have time? = what time does it start? = how long does it take?
how can I learn to {do}? = what is the best way to learn to {do}? = how do I learn how to {do}? // why should I learn to {do}? = when did you learn to {do}? = where can I {do}? = how can I stop having to {do}?
I have run out of money = I have no money left = my money is gone = I've spent all my money // I have a lot of money = I have found some money = I need no money = I lent you my money = I do not spend money
{names} is allergic to {more} = {names} cannot have {more} because of an allergy = {more} gives {names} an allergic reaction // {names} is not allergic to {more} = {names} loves {more} = {names} has no {more} = {names} is allergic to everything but {more}
the price of {more} has risen = {more} has become more expensive = {more} costs more than before = the price of {more} has gone up = there has been a rise in the price of {more} // the price of {more} has fallen = {more} has become cheaper = {more} costs less than before = the price of {more} has not changed = the quality of {more} has improved = the price of {more} will rise
the doctor told {names} to stop smoking = {names} was told by the doctor to give up smoking = the doctor advised {names} to quit smoking = on the advice of the doctor, {names} should stop smoking // {names} told the doctor to stop smoking = the doctor allowed {names} to smoke = {names} stopped smoking years ago = the doctor told {names} to stop drinking = {names} asked the doctor for a cigarette
{names} missed the bus = {names} did not catch the bus = {names} was too late for the bus = the bus left without {names} // {names} caught the bus = {names} took the bus = {names} waited for the bus = {names} did not miss the bus = {names} missed his family
{names} passed the exam = {names} was successful in the exam = {names} got through the exam = {names} did not fail the exam // {names} failed the exam = {names} did not pass the exam = {names} missed the exam = {names} will take the exam = {names} wrote the exam for others
{names} won the race = the winner of the race was {names} = {names} came first in the race = the race was won by {names} // {names} lost the race = {names} came second in the race = {names} took part in the race = {names} watched the race = {names} hopes to win the race
{names} defeated {names.2} in the final = {names.2} was beaten by {names} in the final = {names} beat {names.2} in the final = {names} won the final against {names.2} = {names.2} lost the final to {names} // {names.2} defeated {names} in the final = {names} lost the final to {names.2} = {names} will play {names.2} in the final = {names} beat {names.2} in the first round = {names.2} beat {names} in the final
{names} agreed with {names.2} = {names} was of the same opinion as {names.2} = {names} shared the view of {names.2} // {names} disagreed with {names.2} = {names} argued with {names.2} = {names} did not agree with {names.2} = {names} lived with {names.2}
{names} cannot drive = {names} does not know how to drive = {names} is not able to drive = {names} never learned to drive // {names} can drive = {names} does not own a car = {names} drives very well = {names} drove all night = {names} does not like to drive
{names} takes after {names.2} = {names} resembles {names.2} = {names} looks like {names.2} = {names} and {names.2} look alike // {names} looks after {names.2} = {names} looks for {names.2} = {names} looks nothing like {names.2} = {names} likes {names.2}
{names} looks after {names.2} = {names} takes care of {names.2} = {names.2} is looked after by {names} = {names} cares for {names.2} // {names} looks for {names.2} = {names.2} takes care of {names} = {names} looks like {names.2} = {names} neglects {names.2}
{names} gave up {more} = {names} stopped having {more} = {names} no longer has {more} = {names} does without {more} now // {names} gave away {more} = {names} started on {more} = {names} cannot live without {more} = {names} never had {more} = {names} still has {more}
"""


def values(line: str) -> list:
    """The slots of a statement: set and number."""
    return sorted(set(re.findall(r"\{(\w+(?:\.2)?)", line)))


def capital(text: str, rng) -> str:
    text = text[:1].upper() + text[1:]
    return text if text[-1] in "?." else text + (rng.random() < 0.9) * "."


class Statement:
    """Patterns that mean the same, and others."""

    def __init__(self, line: str):
        line = line.replace("{number!}", "{numbers}")
        same, other = line.split(" // ")
        self.same, self.other, self.slots = same.split(" = "), other.split(" = "), values(line)

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
        return text, self.say(rng.choice(self.same if slot_in(self, changed, drawn) else self.other), changed, rng), 0

    @property
    def is_symmetric(self) -> bool:
        """Do two names in each other's place give a pattern that means the same?"""
        turned = {p.replace(".2}", ".3}").replace("s}", "s.2}").replace(".3}", "}") for p in self.same}
        return bool(turned & set(self.same))


def slot_in(statement, changed, drawn) -> bool:
    """Is a changed value said by every pattern of the same meaning?"""
    moved = [slot for slot in statement.slots if changed[slot] != drawn[slot]]
    return all("{" + slot + end in pattern for slot in moved for pattern in statement.same
               for end in ("",))


PLURAL = re.compile(r"(two|three|some|several|many|a pair|a few|a bunch|a group|a couple|a (man|woman|mother|father) (and|with) )")


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
        slots = rng.choice((["who"], ["doing"], ["doing"], ["doing"], ["place"] if place else ["doing"],
                            ["who", "doing"], ["doing", "place"], ["who", "place"], ["who", "doing", "place"]))
        return text, self.changed(rng, slots).say(rng, place or "place" in slots), 0


ALL = [Statement(line) for line in STATEMENTS.strip().splitlines()]


def pairs(n: int, rng) -> list:
    """n pairs: three of five statements, the others scenes."""
    found = []
    while len(found) < n:
        pair = rng.choice(ALL).pair(rng) if rng.random() < 0.6 else Scene(rng).pair(rng)
        if pair[0] != pair[1] or pair[2]:
            found.append(pair)
    return found
