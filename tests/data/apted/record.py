"""Records what apted says about tree pairs: tests/data/apted/pairs.tsv.

Origin: apted 1.0.3 (PyPI, the Python port of M. Pawlik and N. Augsten's APTED) with its default unit costs.

    python -m venv venv && venv/bin/pip install apted==1.0.3 "sqlglot==30.*"
    venv/bin/python tests/data/apted/record.py > tests/data/apted/pairs.tsv

Half of the pairs are random trees of several shapes, half are queries of the references as sqlglot reads them; the second
tree is the first one with 1 to 30 random edits, another query, or another random tree. No tree has 300 nodes or more.
A line is `left <tab> right <tab> distance`; a tree is its label and, in parentheses, its children with blanks between.
"""

import random
import sys
from pathlib import Path

from apted import APTED, Config
from apted.helpers import Tree
import sqlglot
from sqlglot import exp

chance = random.Random(20)
LARGEST = 299


def size(tree):
    return 1 + sum(size(child) for child in tree[1])


def nodes(tree):
    yield tree
    for child in tree[1]:
        yield from nodes(child)


def copy(tree):
    return [tree[0], [copy(child) for child in tree[1]]]


def grown(count, labels, reach):
    """A random tree; a small `reach` makes it deep, a large one wide."""
    all_nodes = [[chance.choice(labels), []]]
    while len(all_nodes) < count:
        parent = all_nodes[-1 - min(int(chance.expovariate(1 / reach)), len(all_nodes) - 1)]
        child = [chance.choice(labels), []]
        parent[1].insert(chance.randint(0, len(parent[1])), child)
        all_nodes.append(child)
    return all_nodes[0]


def edited(tree, count, labels):
    tree = copy(tree)
    for _ in range(count):
        node = chance.choice(list(nodes(tree)))
        kind = chance.randrange(4)
        if kind == 0:
            node[0] = chance.choice(labels)
        elif kind == 1 and size(tree) < LARGEST:
            first = chance.randint(0, len(node[1]))
            last = chance.randint(first, len(node[1]))
            node[1][first:last] = [[chance.choice(labels), node[1][first:last]]]
        elif kind == 2 and node[1]:
            place = chance.randrange(len(node[1]))
            node[1][place:place + 1] = node[1][place][1]
        elif kind == 3 and len(node[1]) > 1:
            node[1].append(node[1].pop(chance.randrange(len(node[1]))))
    return tree


numbers = {}


def label(text):
    number = numbers.setdefault(text, len(numbers))
    letters = ""
    while True:
        letters += "abcdefghijklmnopqrstuvwxyz"[number % 26]
        number //= 26
        if number == 0:
            return letters


def from_sql(node):
    children, own = [], [type(node).__name__]
    for name, value in node.args.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, exp.Expression):
                children.append(from_sql(item))
            elif item not in (None, False):
                own.append(f"{name}={item}")
    return [label(" ".join(own)), children]


def queries():
    for path in sorted(Path("domains").rglob("script.sql")):
        try:
            statements = sqlglot.parse(path.read_text(), read="spark")
        except sqlglot.errors.SqlglotError:
            continue
        for statement in statements:
            for query in statement.find_all(exp.Select) if statement else []:
                tree = from_sql(query)
                if 20 <= size(tree) <= LARGEST:
                    yield tree


def shown(tree, opening="(", between=" ", closing=")"):
    below = between.join(shown(child, opening, between, closing) for child in tree[1])
    return f"{tree[0]}{opening}{below}{closing}" if tree[1] else tree[0]


class Unit(Config):
    def rename(self, left, right):
        return int(left.name != right.name)


def distance(left, right):
    def bracketed(tree):
        return "{" + tree[0] + "".join(bracketed(child) for child in tree[1]) + "}"
    trees = [Tree.from_text(bracketed(tree)) for tree in (left, right)]
    return APTED(*trees, Unit()).compute_edit_distance()


def pairs():
    letters = "abcdef"
    for number in range(250):
        count = chance.choice([1, 5, 20, 60, 120, 298]) if number % 4 == 0 else chance.randint(1, 90)
        left = grown(count, letters[: chance.randint(1, 6)], chance.choice([1, 3, 40]))
        right = grown(chance.randint(1, count), letters, 5) if number % 5 == 0 else edited(
            left, chance.randint(1, 30), letters)
        yield left, right
    pool = list(queries())
    chance.shuffle(pool)
    # Mostly small ones, so that the file stays small; every tenth is as large as they come.
    small = [tree for tree in pool if size(tree) < 130]
    large = sorted((tree for tree in pool if size(tree) >= 130), key=size)[-25:]
    known = [f"{label(str(number))}" for number in range(60)]
    for number in range(250):
        left = large[number // 10] if number % 10 == 0 else small[number % len(small)]
        right = small[(number * 7 + 1) % len(small)] if number % 6 == 0 else edited(
            left, chance.choice([1, 1, 2, 3, 10, 30]), known)
        yield left, right


for left, right in pairs():
    assert size(left) < 300 and size(right) < 300
    print(shown(left), shown(right), distance(left, right), sep="\t")
    sys.stdout.flush()
