# The rank correlation of functions' own shares in two pages of flame graphs; see scripts/checks/check-shares.

import json
import sys

INLINED = 1
# The benchmark's own closure, which one side knows as part of the harness's loop.
OPERATION = "the operation"


def shares(path):
    """The own share of each function that is called; what was inlined belongs to the function that it is in."""
    page = open(path, encoding="utf-8").read()
    opening = '<script type="application/json" id="data">[\n'
    start = page.index(opening) + len(opening)
    graph, _ = json.JSONDecoder().raw_decode(page, start)
    weights = {}

    def add(node, function):
        place, weight, _, *children = node
        if place >= 0:
            name, _, flags = graph["frames"][place]
            if not flags & INLINED:
                function = OPERATION if name == sys.argv[1] or name.startswith("closure ") else name
        own = weight - sum(child[1] for child in children)
        weights[function] = weights.get(function, 0) + own
        for child in children:
            add(child, function)

    add(graph["root"], OPERATION)
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def ranks(values):
    order = sorted(values)
    return [(order.index(value) + len(order) - 1 - order[::-1].index(value)) / 2 for value in values]


def correlation(first, second):
    count = len(first)
    means = sum(first) / count, sum(second) / count
    products = sum((a - means[0]) * (b - means[1]) for a, b in zip(first, second))
    squares = [sum((value - mean) ** 2 for value in values) for values, mean in zip((first, second), means)]
    return products / (squares[0] * squares[1]) ** 0.5 if min(squares) > 0 else 0


def main():
    title, sampled, counted = sys.argv[1], shares(sys.argv[2]), shares(sys.argv[3])
    names = sorted(name for name in sampled.keys() | counted.keys()
                   if max(sampled.get(name, 0), counted.get(name, 0)) > 0.01)
    pairs = [(sampled.get(name, 0), counted.get(name, 0)) for name in names]
    value = correlation(ranks([pair[0] for pair in pairs]), ranks([pair[1] for pair in pairs])) if len(pairs) > 2 else 0
    agrees = len(pairs) > 4 and value >= 0.95
    print(f"{'ok     ' if agrees else 'FAILED '} {title}: rank correlation {value:.3f} over {len(pairs)} functions above 1 %")
    if not agrees:
        for name, (time, instructions) in sorted(zip(names, pairs), key=lambda row: -row[1][1]):
            print(f"        {time:7.1%} of the samples, {instructions:7.1%} of the instructions: {name}")
    return 0 if agrees else 1


sys.exit(main())
