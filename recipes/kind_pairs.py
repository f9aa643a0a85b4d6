#!/usr/bin/env python3
"""Makes training pairs for what plain pairs teach too little: negation, numbers, dates, units,
opposites, exceptions, comparisons, quantities, roles, and sentences word for word.

    recipes/kind_pairs.py ../shared/data/fever-reduced/wiki-pages runs/kinds.jsonl

Half of them are sentences of the pages, repeated, cut short or changed in one place; half are
scenes from handbooks, minutes, manuals and news in words of our own. A scene says the same evidence
with claims of all three labels, so that words shared with the evidence tell nothing. The same input
gives the same file.
"""

import itertools
import json
import pathlib
import random
import re
import sys

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
PAIRS_OF_SENTENCES = 40_000
PAIRS_OF_SCENES = 40_000

draw = random.Random(1776)
pick = draw.choice


def two(items):
    return draw.sample(items, 2)


def three(items):
    return draw.sample(items, 3)


def upper(text):
    return text[:1].upper() + text[1:]


MONTHS = ("January February March April May June July August September October November December").split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NAMES = ("Amira Bo Carla Dmitri Esther Farid Greta Hiro Ines Jonas Katya Liam Mona Nils Oksana Pedro Quentin Rosa "
         "Samir Tilda Umar Vera Wendell Ximena Yusuf Zoe").split()
SURNAMES = ("Adler Bianchi Castell Dumont Eriksen Falk Grady Holm Ibarra Jansen Keller Lindqvist Marsh Novak Okoye "
            "Pratt Quist Rossi Sato Thorne Ueda Vance Weiss Young Zeman").split()
PLACES = ["the reading room", "the swimming pool", "the car park", "the north gate", "the canteen", "the gym",
          "the archive", "the paint shop", "the roof terrace", "the cold store", "the loading bay", "the music room",
          "the laundry", "the greenhouse", "the server room", "the east stairwell", "the nursery", "the lobby"]
GROUPS = ["visitors", "members", "volunteers", "tenants", "students", "trainees", "drivers", "nurses", "guests",
          "customers", "contractors", "apprentices", "cyclists", "residents", "parents", "delegates"]
ACTS = ["smoke", "eat", "take photographs", "use a phone", "store bicycles", "bring dogs", "cook", "play music",
        "leave bags", "charge batteries", "wear sandals", "hold meetings", "park", "run", "light candles"]
EVENTS = ["the spring fair", "the annual meeting", "the fire drill", "the summer concert", "the staff outing",
          "the book sale", "the regatta", "the open day", "the safety course", "the harvest supper", "the chess final",
          "the inspection", "the film night", "the half marathon", "the choir rehearsal", "the plant swap"]
THINGS = ["chairs", "lockers", "tents", "laptops", "beds", "boats", "tables", "helmets", "ladders", "seedlings",
          "parcels", "tickets", "complaints", "bottles", "radios", "posters", "bicycles", "blankets"]
FEES = ["the membership fee", "the rent", "the parking charge", "the library budget", "the speed limit",
        "the price of a day pass", "the heating allowance", "the minimum order", "the deposit", "the late fee",
        "the ferry fare", "the overtime rate"]
DEVICES = {"the coffee machine": ["the grinder", "the pump", "the drip tray", "the steam wand"],
           "the lawn mower": ["the blade", "the pull cord", "the fuel tank", "the grass bag"],
           "the e-bike": ["the battery", "the brake pads", "the display", "the saddle"],
           "the dishwasher": ["the door seal", "the spray arm", "the cutlery basket", "the filter"],
           "the camera": ["the lens cap", "the viewfinder", "the strap", "the flash"],
           "the printer": ["the toner", "the paper tray", "the power cable", "the drum"],
           "the boiler": ["the thermostat", "the burner", "the expansion tank", "the pilot light"]}
TITLES = ["House rules", "Minutes", "Handbook", "notes.txt", "FAQ", "Newsletter", "Manual", "Report", "Warranty",
          "Staff guide", "Local news", "2023", "readme", "Annual report", "Terms", "Season notes", None, None, None, None]
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def person():
    return f"{pick(NAMES)} {pick(SURNAMES)}" if draw.random() < 0.6 else pick(NAMES)


def people(count):
    found = set()
    while len(found) < count:
        found.add(person())
    found = sorted(found)
    draw.shuffle(found)
    return found


def number(low=2, high=400):
    return draw.randint(low, high) if draw.random() < 0.6 else draw.randint(low, min(high, 20))


def other_number(value):
    while True:
        found = max(1, value + pick([-20, -10, -5, -3, -2, -1, 1, 2, 3, 5, 10, 20, value, 9 * value]))
        if found != value:
            return found


def figure(value):
    return WORDS[value] if value < len(WORDS) and draw.random() < 0.5 else f"{value:,}" if draw.random() < 0.8 else str(value)


# A scene: one evidence sentence and claims about it with their labels.


def forbidden():
    group, other_group = two(GROUPS)
    place, other_place = two(PLACES)
    act, other_act = two(ACTS)
    no = [f"{upper(group)} may not {act} in {place}.", f"{upper(group)} are not allowed to {act} in {place}.",
          f"It is forbidden for {group} to {act} in {place}.", f"{upper(group)} must never {act} in {place}.",
          f"In {place}, {group} are asked not to {act}.", f"No {group} are permitted to {act} in {place}."]
    yes = [f"{upper(group)} may {act} in {place}.", f"{upper(group)} are allowed to {act} in {place}.",
           f"It is fine for {group} to {act} in {place}.", f"In {place}, {group} can {act}."]
    unknown = [pick([f"{upper(other_group)} may {act} in {place}.", f"{upper(other_group)} may not {act} in {place}."]),
               pick([f"{upper(group)} may {act} in {other_place}.", f"{upper(group)} are not allowed to {act} in {other_place}."]),
               pick([f"{upper(group)} may {other_act} in {place}.", f"{upper(group)} must never {other_act} in {place}."])]
    said, denied = (no, yes) if draw.random() < 0.5 else (yes, no)
    return pick(said), [(pick(said), S), (pick(denied), R), (pick(denied), R), (pick(unknown), N)]


def never_done():
    who, another = people(2)
    verb, base = pick([("visited", "visit"), ("missed", "miss"), ("chaired", "chair"), ("won", "win"), ("attended", "attend"),
                       ("organised", "organise"), ("photographed", "photograph")])
    event, other_event = two(EVENTS)
    no = [f"{who} has never {verb} {event}.", f"{who} did not {base} {event}.", f"Not once did {who} {base} {event}.",
          f"At no time has {who} {verb} {event}."]
    yes = [f"{who} has {verb} {event}.", f"{who} {verb} {event}.", f"{who} did {base} {event}."]
    said, denied = (no, yes) if draw.random() < 0.6 else (yes, no)
    return pick(said), [(pick(said), S), (pick(denied), R), (pick(denied), R),
                        (pick([f"{another} has {verb} {event}.", f"{who} has {verb} {other_event}.",
                               f"{another} has never {verb} {event}."]), N)]


def nothing_found():
    thing, other = two(["leak", "crack", "complaint", "injury", "delay", "objection", "error", "virus", "theft", "power cut"])
    event = pick(EVENTS)
    no = [f"No {thing} was reported during {event}.", f"There was not a single {thing} during {event}.",
          f"{upper(event)} passed without any {thing}.", f"Nobody reported a {thing} at {event}."]
    yes = [f"A {thing} was reported during {event}.", f"There was at least one {thing} at {event}.",
           f"{upper(event)} did not pass without a {thing}."]
    said, denied = (no, yes) if draw.random() < 0.6 else (yes, no)
    return pick(said), [(pick(said), S), (pick(denied), R), (pick([f"A {other} was reported during {event}.",
                        f"No {other} was reported during {event}."]), N)]


def counted():
    thing, other = two(THINGS)
    place = pick(PLACES)
    value = number()
    wrong = other_number(value)
    says = lambda v, t=thing: pick([f"{upper(place)} has {figure(v)} {t}.", f"There are {figure(v)} {t} in {place}.",
                                    f"{upper(figure(v))} {t} are kept in {place}.", f"In {place} there are {figure(v)} {t} in all."])
    more = draw.randint(1, value)
    claims = [(says(value), S), (says(wrong), R), (says(wrong), R), (says(number(), other), N),
              (f"There are more than {value - more} {thing} in {place}.", S),
              (f"{upper(place)} has fewer than {value + more} {thing}.", S),
              (f"There are more than {value + more} {thing} in {place}.", R),
              (f"{upper(place)} has fewer than {value - more + 1} {thing}.", R),
              (f"{upper(place)} had {value} {thing} a year ago.", N),
              (f"Most of the {value} {thing} in {place} are new.", N)]
    return says(value), claims


def dated():
    event, other = two(EVENTS)
    day, month, year = draw.randint(1, 28), pick(MONTHS), draw.randint(1950, 2026)
    day2 = pick([d for d in range(1, 29) if d != day])
    month2 = pick([m for m in MONTHS if m != month])
    at = MONTHS.index(month)
    when = lambda d, m: pick([f"{d} {m}", f"{m} {d}", f"{d} {m} {year}", f"{m} {d}, {year}"])
    says = lambda w: pick([f"{upper(event)} was held on {w}.", f"{upper(event)} took place on {w}.", f"On {w}, {event} was held.",
                           f"The date of {event} was {w}."])
    claims = [(says(when(day, month)), S), (f"{upper(event)} was held in {month}.", S), (f"{upper(event)} took place in {year}.", S),
              (says(when(day2, month)), R), (says(when(day2, month)), R), (says(when(day, month2)), R),
              (f"{upper(event)} was held in {month2}.", R), (f"{upper(event)} took place in {year + pick([-3, -2, -1, 1, 2, 10])}.", R),
              (f"{upper(other)} was held on {day} {month}.", N), (f"{upper(event)} was held on a {pick(DAYS)}.", N),
              (f"{upper(event)} had been planned for {day2} {month}.", N), (f"{upper(event)} ended at {draw.randint(2, 11)} pm.", N)]
    if 0 < at < 11:
        claims += [(f"{upper(event)} was over before {pick(MONTHS[at + 1:])} {year}.", S),
                   (f"{upper(event)} was held after {pick(MONTHS[:at])} {year}.", S),
                   (f"{upper(event)} was held after {pick(MONTHS[at + 1:])} {year}.", R)]
    return says(pick([f"{day} {month} {year}", f"{month} {day}, {year}"])), claims


def opening_hours():
    place, other = two(PLACES)
    first, last = draw.randint(6, 11), draw.randint(3, 10)
    wrong = pick([h for h in range(6, 12) if h != first])
    says = lambda a: pick([f"{upper(place)} opens at {a} in the morning.", f"{upper(place)} is open from {a} am to {last} pm.",
                           f"From {a} am until {last} pm, {place} is open."])
    claims = [(f"{upper(place)} opens at {first} am.", S), (f"{upper(place)} opens at {wrong} am.", R),
              (f"{upper(place)} is not open before {first} in the morning.", S), (f"{upper(other)} opens at {first} am.", N),
              (f"{upper(place)} is already open at {first - 1} in the morning.", R), (f"{upper(place)} is closed on {pick(DAYS)}s.", N)]
    return says(first), claims


UNITS = [("metres", "kilometres", 1000), ("grams", "kilograms", 1000), ("minutes", "hours", 60), ("millimetres", "centimetres", 10),
         ("days", "weeks", 7), ("months", "years", 12), ("litres", "cubic metres", 1000), ("cents", "euros", 100),
         ("seconds", "minutes", 60), ("centimetres", "metres", 100)]
FOREIGN = [("kilometres", "miles"), ("litres", "gallons"), ("kilograms", "pounds"), ("metres", "feet"), ("euros", "dollars"),
           ("degrees Celsius", "degrees Fahrenheit"), ("centimetres", "inches"), ("pounds", "euros"), ("hours", "days")]
MEASURED = ["the delivery route", "the new cable", "the sample", "the recipe", "the treatment", "the tank", "the trial period",
            "the refund", "the hike", "the beam", "the dose", "the interval"]


def measured():
    thing, other = two(MEASURED)
    claim = lambda t, v, u: pick([f"{upper(t)} comes to {v} {u}.", f"For {t}, {v} {u} are given.", f"{upper(t)} is put at {v} {u}.",
                                  f"The figure for {t} is {v} {u}."])
    if draw.random() < 0.5:
        small, large, factor = pick(UNITS)
        count = draw.randint(2, 9)
        said, same, wrong = pick([((count * factor, small), (count, large), (count * factor, large)),
                                  ((count, large), (count * factor, small), (count, small))])
    else:
        unit, foreign = pick(FOREIGN) if draw.random() < 0.5 else pick(FOREIGN)[::-1]
        count = draw.randint(2, 90)
        said, same, wrong = (count, unit), (count, unit), (count, foreign)
    claims = [(claim(thing, *same), S), (claim(thing, *said), S), (claim(thing, *wrong), R), (claim(thing, *wrong), R),
              (claim(other, *said), N), (f"{upper(thing)} was measured twice.", N)]
    return claim(thing, *said), claims


OPPOSITES = [(["raised", "increased", "put up"], ["lowered", "reduced", "cut"]),
             (["extended", "lengthened", "prolonged"], ["shortened", "cut short", "curtailed"]),
             (["approved", "accepted", "agreed to"], ["rejected", "turned down", "refused"]),
             (["introduced", "brought in"], ["abolished", "did away with", "scrapped"]),
             (["praised", "welcomed"], ["criticised", "condemned"]), (["tightened", "made stricter"], ["relaxed", "loosened"]),
             (["opened", "unlocked"], ["closed", "locked"]), (["remembered"], ["forgot"]), (["won"], ["lost"]),
             (["bought", "acquired"], ["sold"]), (["started", "began"], ["stopped", "ended"]), (["doubled"], ["halved"])]
OBJECTS = FEES + ["the contract", "the opening hours", "the proposal", "the training plan", "the trial", "the appeal",
                  "the licence", "the warehouse", "the campaign", "the dress code", "the lease", "the experiment"]
ACTORS = ["the council", "the board", "the manager", "the school", "the clinic", "the committee", "the landlord", "the club",
          "the editor", "the union", "the court", "the lab"]


def opposite():
    said, against = pick(OPPOSITES) if draw.random() < 0.5 else pick(OPPOSITES)[::-1]
    actor, other = two(ACTORS)
    thing, other_thing = two(OBJECTS)
    tail = pick(["", "", f" in {pick(MONTHS)}", " last week", f" after {pick(EVENTS)}"])
    return (f"{upper(actor)} {pick(said)} {thing}{tail}.",
            [(f"{upper(actor)} {pick(said)} {thing}.", S), (f"{upper(actor)} {pick(against)} {thing}.", R),
             (f"{upper(actor)} {pick(against)} {thing}.", R), (f"{upper(other)} {pick(said)} {thing}.", N),
             (f"{upper(actor)} {pick(against)} {other_thing}.", N), (f"{upper(actor)} {pick(said)} {other_thing}.", N)])


GRADES = [("longer", "shorter"), ("heavier", "lighter"), ("cheaper", "dearer"), ("older", "younger"), ("faster", "slower"),
          ("larger", "smaller"), ("higher", "lower"), ("warmer", "colder"), ("busier", "quieter"), ("louder", "softer")]
COMPARED = ["the red route", "the old bridge", "the night train", "the blue paint", "the second sample", "the harbour office",
            "the east wing", "the winter term", "the small drill", "the new pump", "the first draft", "the lower field"]


def compared():
    first, second, third = three(COMPARED)
    up, down = pick(GRADES) if draw.random() < 0.5 else pick(GRADES)[::-1]
    return (pick([f"{upper(first)} is {up} than {second}.", f"Compared with {second}, {first} is {up}.",
                  f"{upper(second)} is {down} than {first}."]),
            [(f"{upper(first)} is {up} than {second}.", S), (f"{upper(second)} is {down} than {first}.", S),
             (f"{upper(second)} is {up} than {first}.", R), (f"{upper(first)} is {down} than {second}.", R),
             (f"{upper(first)} and {second} are equally {up[:-2] if up.endswith('er') and len(up) > 6 else 'good'}.", R) if len(up) > 6
             else (f"{upper(first)} is not {up} than {second}.", R),
             (f"{upper(first)} is {up} than {third}.", N), (f"{upper(third)} is {down} than {second}.", N)])


def counted_against():
    first, second, third = three(PLACES)
    thing = pick(THINGS)
    low, high = sorted(two(range(3, 300)))
    more, fewer = (second, first) if draw.random() < 0.5 else (first, second)
    evidence = pick([f"{upper(fewer)} has {low} {thing}, {more} {high}.",
                     f"There are {high} {thing} in {more} and {low} in {fewer}."])
    return evidence, [(f"{upper(more)} has more {thing} than {fewer}.", S), (f"{upper(fewer)} has fewer {thing} than {more}.", S),
                      (f"{upper(fewer)} has more {thing} than {more}.", R), (f"{upper(more)} has fewer {thing} than {fewer}.", R),
                      (f"{upper(more)} and {fewer} have the same number of {thing}.", R), (f"{upper(third)} has more {thing} than {fewer}.", N),
                      (f"Together they have {low + high} {thing}.", S), (f"{upper(more)} has {low} {thing}.", R),
                      (f"{upper(fewer)} has {low} {thing}.", S)]


DID = [("signed the form", "sign the form"), ("passed the test", "pass the test"), ("came by train", "come by train"),
       ("paid in cash", "pay in cash"), ("stayed until the end", "stay until the end"), ("received a badge", "receive a badge"),
       ("asked for a refund", "ask for a refund"), ("brought their own lunch", "bring their own lunch"),
       ("voted for the plan", "vote for the plan"), ("wore gloves", "wear gloves")]


def quantity():
    group, other = two(GROUPS)
    (did, do), (did2, _) = two(DID)
    everyone = [f"All of the {group} {did}.", f"Every one of the {group} {did}.", f"Each of the {group} {did}.", f"The {group} all {did}."]
    none = [f"None of the {group} {did}.", f"Not one of the {group} {did}.", f"No {group} {did}."]
    some = [f"Some of the {group} {did}.", f"At least one of the {group} {did}.", f"A few of the {group} {did}."]
    part = [f"Only some of the {group} {did}.", f"Not all of the {group} {did}.", f"Half of the {group} {did}, the others did not.",
            f"Several of the {group} did not {do}."]
    unknown = [(f"All of the {other} {did}.", N), (f"Some of the {group} {did2}.", N)]
    which = draw.randrange(4)
    if which == 0:
        return pick(everyone), [(pick(everyone), S), (pick(some), S), (pick(none), R), (pick(part), R)] + unknown
    if which == 1:
        return pick(none), [(pick(none), S), (pick(some), R), (pick(everyone), R), (f"Most of the {group} {did}.", R)] + unknown
    if which == 2:
        return pick(part), [(pick(part), S), (pick(everyone), R), (pick(everyone), R)] + unknown
    return pick(some), [(pick(some), S), (pick(none), R), (pick(everyone), N)] + unknown


def part_of():
    group = pick(GROUPS)
    did, do = pick(DID)
    total = draw.randint(6, 60)
    part = draw.randint(1, total - 1)
    claims = [(f"{upper(figure(part))} {group} {did}.", S), (f"All {total} {group} {did}.", R), (f"None of the {group} {did}.", R),
              (f"{total - part} of the {group} did not {do}.", S), (f"The {group} who {did} did so in the morning.", N)]
    if abs(2 * part - total) > 1:
        most = 2 * part > total
        claims += [(f"Most of the {group} {did}.", S if most else R), (f"Fewer than half of the {group} {did}.", R if most else S)]
    return pick([f"Of the {total} {group}, {part} {did}.", f"{part} of {total} {group} {did}.", f"There were {total} {group}, and {part} of them {did}."]), claims


def except_day():
    place = pick(PLACES)
    day, other = two(DAYS)
    return (pick([f"{upper(place)} is open every day except {day}.", f"Apart from {day}s, {place} is open daily.",
                  f"{upper(place)} is open all week but closes on {day}s.", f"{upper(place)} is closed on {day}s only."]),
            [(f"{upper(place)} is open on {day}s.", R), (f"{upper(place)} is closed on {day}s.", S), (f"{upper(place)} is open on {other}s.", S),
             (f"{upper(place)} is open seven days a week.", R), (f"On {other}s {place} is closed.", R),
             (f"{upper(place)} is open at night.", N), (f"Entry to {place} is free on {other}s.", N)])


def except_part():
    device, parts = pick(list(DEVICES.items()))
    part, other = two(parts)
    years = draw.randint(2, 6)
    return (pick([f"The guarantee covers {device} for {years} years, with the exception of {part}.",
                  f"All parts of {device} but {part} are under guarantee for {years} years.",
                  f"{upper(device)} has a guarantee of {years} years; {part} is not included.",
                  f"Except for {part}, every part of {device} is guaranteed for {years} years."]),
            [(f"{upper(part)} of {device} is under guarantee.", R), (f"{upper(part)} is covered by the guarantee for {years} years.", R),
             (f"There is no guarantee on {part} of {device}.", S), (f"{upper(other)} of {device} is guaranteed for {years} years.", S),
             (f"The guarantee leaves out {other}.", R), (f"The guarantee of {device} can be extended.", N),
             (f"{upper(part)} of {device} costs more than {other}.", N)])


def except_group():
    group, other, third = three(GROUPS)
    place, fee = pick(PLACES), pick(["pay", "register", "wear a badge", "show a pass", "sign in", "book ahead"])
    return (pick([f"Everyone except {group} has to {fee} at {place}.", f"All must {fee} at {place}; only {group} need not.",
                  f"Unless they are {group}, people have to {fee} at {place}.", f"With the exception of {group}, all have to {fee} at {place}."]),
            [(f"{upper(group)} have to {fee} at {place}.", R), (f"{upper(group)} do not have to {fee} at {place}.", S),
             (f"{upper(other)} have to {fee} at {place}.", S), (f"{upper(third)} need not {fee} at {place}.", R),
             (f"Nobody has to {fee} at {place}.", R), (f"{upper(other)} complained that they had to {fee} at {place}.", N)])


ROLES = [("taught", "was taught by"), ("hired", "was hired by"), ("defeated", "was defeated by"), ("replaced", "was replaced by"),
         ("interviewed", "was interviewed by"), ("rescued", "was rescued by"), ("nominated", "was nominated by"), ("trained", "was trained by"),
         ("sued", "was sued by"), ("visited", "was visited by"), ("overtook", "was overtaken by"), ("reports to", "is supervised by")]
GIVEN = [("lent the {0} to", "borrowed the {0} from"), ("sold the {0} to", "bought the {0} from"), ("sent the {0} to", "received the {0} from"),
         ("rented the {0} out to", "rented the {0} from"), ("passed the {0} on to", "was given the {0} by")]
ITEMS = ["van", "keys", "projector", "boat", "notes", "flat", "guitar", "tent", "ledger", "camera", "microscope", "piano"]


def roles():
    first, second, third = people(3)
    active, passive = pick(ROLES)
    if draw.random() < 0.5:
        active, passive = (text.format(item) for item in [pick(ITEMS)] for text in pick(GIVEN))
    if active == "reports to":
        passive = "is supervised by"
        return (f"{first} reports to {second}.", [(f"{first} {passive} {second}.", S), (f"{second} reports to {first}.", R),
                (f"{second} {passive} {first}.", R), (f"{first} reports to {third}.", N)])
    tail = pick(["", "", f" in {draw.randint(1960, 2025)}", " last autumn", f" before {pick(EVENTS)}"])
    return (pick([f"{first} {active} {second}{tail}.", f"{second} {passive} {first}{tail}."]),
            [(f"{first} {active} {second}.", S), (f"{second} {passive} {first}.", S), (f"{second} {active} {first}.", R),
             (f"{first} {passive} {second}.", R), (f"{third} {active} {first}.", N), (f"{second} {active} {third}.", N)])


SCENES = [forbidden, never_done, nothing_found, counted, dated, opening_hours, measured, opposite, compared, counted_against,
          quantity, part_of, except_day, except_part, except_group, roles]


def scene_pairs(count):
    made = 0
    while made < count:
        scene = pick(SCENES)
        evidence, claims = scene()
        if draw.random() < 0.08:
            claims = [(evidence, S)]
        by_label = {label: [claim for claim, of in claims if of == label] for label in (S, R, N)}
        sentences = [evidence]
        for _ in range(pick([0, 0, 0, 1, 1, 2, 3])):
            sentences.insert(draw.randrange(len(sentences) + 1), pick(SCENES)()[0])
        title = pick(TITLES)
        for label, texts in by_label.items():
            if texts:
                yield pair(pick(texts), sentences, label, title, scene.__name__)
                made += 1


# Sentences of the pages.

SWAPS = ["first last", "largest smallest", "before after", "north south", "northern southern", "east west", "eastern western",
         "older younger", "won lost", "increased decreased", "longer shorter", "higher lower", "early late", "male female",
         "brother sister", "son daughter", "father mother", "husband wife", "always never", "opened closed", "began ended",
         "public private", "with without", "large small", "old new", "upper lower", "rural urban", "major minor", "most least",
         "best worst", "more fewer", "above below", "living dead", "rarely often", "men women", "inside outside", "highest lowest",
         "oldest youngest", "widely hardly", "successful unsuccessful", "professional amateur", "legal illegal"]
OPPOSITE = {a: b for a, b in itertools.chain.from_iterable([(p.split(), p.split()[::-1]) for p in SWAPS])}
DATE = re.compile(r"\b(\d{1,2}) (%s)\b|\b(%s) (\d{1,2})\b" % ("|".join(MONTHS), "|".join(MONTHS)))
NUMBER = re.compile(r"(?<![\w.,–-])(\d{1,3}(?:,\d{3})*|\d{4})(?![\w,–-]|\.\d)")
VERB = re.compile(r"\b(is|was|are|were|has|had|will|can)\b")


def other_date(match):
    day, month, month2, day2 = match.groups()
    new_day = pick([d for d in range(1, 29) if str(d) != (day or day2)])
    new_month = pick([m for m in MONTHS if m != (month or month2)])
    if draw.random() < 0.6:
        new_month = month or month2
    else:
        new_day = day or day2
    return f"{new_day} {new_month}" if day else f"{new_month} {new_day}"


def changed(sentence):
    """The sentence with one thing in it changed so that both cannot be true, or None."""
    ways = []
    if (date := DATE.search(sentence)):
        ways += [lambda: sentence[:date.start()] + other_date(date) + sentence[date.end():]] * 3
    if (figures := list(NUMBER.finditer(sentence))):
        def another():
            at = pick(figures)
            value = int(at[1].replace(",", ""))
            near = value + pick([-30, -11, -4, -2, -1, 1, 2, 5, 10, 25]) if value > 1000 else other_number(value)
            return sentence[:at.start()] + (f"{abs(near):,}" if "," in at[1] else str(abs(near))) + sentence[at.end():]
        ways += [another] * 2
    if (words := [m for m in re.finditer(r"\b[a-z]+\b", sentence) if m[0] in OPPOSITE]):
        def swapped():
            at = pick(words)
            return sentence[:at.start()] + OPPOSITE[at[0]] + sentence[at.end():]
        ways += [swapped] * 3
    if (verb := VERB.search(sentence)):
        not_ = pick([" not", " not", " never"])
        ways.append(lambda: sentence[:verb.end()] + not_ + sentence[verb.end():])
    return pick(ways)() if ways else None


def shortened(sentence):
    """What the sentence says before its first comma, where that is a sentence, or None."""
    head = re.split(r", | \(|; | and (?=\w+ (?:is|was|has))", sentence)[0]
    words = head.split()
    return head + "." if 5 <= len(words) < len(sentence.split()) - 3 and VERB.search(" ".join(words[1:-1])) else None


def pages(folder):
    for file in sorted(pathlib.Path(folder).glob("*.jsonl")):
        for line in file.open(encoding="utf-8"):
            page = json.loads(line)
            sentences = [part.split("\t", 1)[1] for part in page["lines"].split("\n") if "\t" in part]
            sentences = [s for s in sentences if 5 <= len(s.split()) <= 45 and s.endswith(".")]
            title = page["id"].replace("_", " ").replace("-LRB-", "(").replace("-RRB-", ")").replace("-COLON-", ":")
            if sentences:
                yield title, sentences


def sentence_pairs(folder, count):
    found = list(pages(folder))
    for title, sentences in draw.choices(found, k=count // 3):
        at = draw.randrange(len(sentences))
        sentence = sentences[at]
        beside = sentences[max(0, at - pick([0, 0, 1, 2])):at + 1 + pick([0, 0, 1])]
        short = shortened(sentence)
        yield pair(short if short and draw.random() < 0.5 else sentence, beside, S, title, "sentence")
        other = changed(sentence)
        if other and other != sentence:
            denied = [other if s == sentence else s for s in beside]
            way = draw.random()
            if way < 0.6:
                yield pair(other, beside, R, title, "changed")
            elif way < 0.85:
                yield pair(sentence, denied, R, title, "changed")
            else:
                yield pair(other, denied, S, title, "changed")
        others = [s for i, s in enumerate(sentences) if i != at]
        if others:
            yield pair(pick([sentence, short, other]) or sentence, draw.sample(others, min(len(others), pick([1, 1, 2, 3]))), N, title, "unsaid")


def pair(claim, sentences, label, title, source):
    made = {"claim": claim, "evidence": sentences if len(sentences) > 1 else sentences[0], "label": label, "source": source}
    if title:
        made["title"] = title
    return made


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, out = sys.argv[1:]
    made = list(sentence_pairs(folder, PAIRS_OF_SENTENCES)) + list(scene_pairs(PAIRS_OF_SCENES))
    draw.shuffle(made)
    with open(out, "w", encoding="utf-8") as file:
        for row in made:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


main()
