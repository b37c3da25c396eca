#!/usr/bin/env python3
# Long file: one vector after the other, and what they have in common.
"""Checks the reference vectors of GaugeStatistics against scipy, statsmodels, numpy, hdrhistogram and diptest.

usage: scripts/checks/check-statistics.py [--write]

Without options: computes every vector anew and compares it with Tests/GaugeStatisticsTests/Vectors/*.json; exit 0 if
all agree to 1e-9, 1 if not. Where the Python packages are missing it says so, checks nothing, and exits 0: the Swift
tests use the files as they are.
With --write: replaces the files.

needs, in a virtual environment of its own: pip install numpy scipy statsmodels hdrhistogram diptest
"""

import itertools
import json
import math
import pathlib
import random
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "Tests" / "GaugeStatisticsTests" / "Vectors"

try:
    import diptest
    import numpy
    from hdrh.histogram import HdrHistogram
    from scipy import optimize, special, stats
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.stattools import medcouple
except ImportError as missing:
    print(f"check-statistics: vectors not checked, {missing}; pip install numpy scipy statsmodels hdrhistogram diptest")
    sys.exit(0)

MASK = (1 << 64) - 1


class SplitMix64:
    """Steele, Lea and Flood 2014."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


class Xoshiro256:
    """xoshiro256** of Blackman and Vigna, seeded by SplitMix64; `below` is Lemire's method."""

    def __init__(self, seed):
        seeder = SplitMix64(seed)
        self.state = [seeder.next() for _ in range(4)]

    def next(self):
        s = self.state
        product = (s[1] * 5) & MASK
        result = ((((product << 7) | (product >> 57)) & MASK) * 9) & MASK
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = ((s[3] << 45) | (s[3] >> 19)) & MASK
        return result

    def below(self, bound):
        product = self.next() * bound
        if product & MASK < bound:
            unfair = ((1 << 64) - bound) % bound
            while product & MASK < unfair:
                product = self.next() * bound
        return product >> 64


def samples():
    """Pairs of samples of launches: even, skewed, with outliers, tied, tiny, unequal in size."""
    source = random.Random(20250101)

    def launches(n, centre, spread, outliers=0.0):
        values = []
        for _ in range(n):
            value = centre * math.exp(spread * source.gauss(0, 1))
            values.append(round(value * (3 if source.random() < outliers else 1), 4))
        return values

    return [
        (launches(5, 100, 0.02), launches(5, 104, 0.02)),
        (launches(6, 20, 0.3), launches(9, 31, 0.2)),
        (launches(10, 1500, 0.05, 0.2), launches(10, 1520, 0.05, 0.2)),
        (launches(20, 7, 0.01), launches(20, 7, 0.01)),
        (launches(30, 42, 0.1), launches(25, 60, 0.1)),
        ([1, 2, 2, 3, 3, 3, 4, 5], [2, 3, 4, 4, 4, 5, 6]),
        ([10, 20], [15, 25, 35]),
    ]


def random_vectors():
    split, xoshiro = SplitMix64(42), Xoshiro256(42)
    index = Xoshiro256(7)
    return {
        "splitMix64": [str(split.next()) for _ in range(5)],
        "xoshiro256": [str(xoshiro.next()) for _ in range(20)],
        "indices": [index.below(bound) for bound in (1, 2, 3, 10, 1000, (1 << 62) + 1, 3 << 60) for _ in range(5)],
    }


def distribution_vectors():
    xs = [-37, -12.5, -8, -5, -2.5, -1, -0.1, 0, 0.3, 1, 1.96, 3, 6]
    ps = [0.0, 1e-300, 1e-20, 1e-8, 1e-4, 0.01, 0.05, 0.074, 0.076, 0.3, 0.5, 0.7, 0.925, 0.975, 0.999, 1 - 1e-9]
    freedoms = [0.5, 1, 2.5, 4, 9.7, 30, 1000]
    ts = [-60, -5, -2, -0.5, 0, 0.1, 1, 3, 20]
    return {
        "normal": [[x, float(special.ndtr(x))] for x in xs],
        "normalQuantile": [[p, float(special.ndtri(p))] for p in ps if p > 0],
        "student": [[f, t, float(stats.t.cdf(t, f))] for f in freedoms for t in ts],
        "studentQuantile": [
            [f, p, float(stats.t.ppf(p, f))] for f in freedoms[1:] for p in (1e-6, 0.01, 0.3, 0.5, 0.9, 0.975, 0.9999)
        ],
        "incompleteBeta": [
            [x, a, b, float(special.betainc(a, b, x))]
            for x in (0.01, 0.3, 0.5, 0.9, 0.999)
            for a, b in ((0.5, 0.5), (2, 3), (15, 0.5), (0.5, 40))
        ],
        "logGamma": [[x, float(special.gammaln(x))] for x in (0.1, 0.5, 1, 2, 3.7, 14.9, 15, 120, 1e5)],
    }


def summary_vectors():
    vectors = []
    for sample in itertools.chain(*samples()):
        probabilities = [0, 0.01, 0.1, 0.25, 0.5, 0.6, 0.9, 0.99, 1]
        vectors.append(
            {
                "sample": sample,
                "mean": float(numpy.mean(sample)),
                "standardDeviation": float(numpy.std(sample, ddof=1)),
                "median": float(numpy.median(sample)),
                "medianAbsoluteDeviation": float(stats.median_abs_deviation(sample)),
                "probabilities": probabilities,
                "linear": [float(numpy.quantile(sample, p, method="linear")) for p in probabilities],
            }
        )
    return vectors


def mann_whitney_vectors():
    vectors = []
    for first, second in samples():
        vector = {"first": first, "second": second, "u": float(stats.mannwhitneyu(second, first).statistic)}
        tied = len(set(first + second)) < len(first + second)
        for method in ("asymptotic",) if tied else ("asymptotic", "exact"):
            for name, alternative in (("different", "two-sided"), ("greater", "greater"), ("less", "less")):
                result = stats.mannwhitneyu(second, first, alternative=alternative, method=method)
                vector[f"{method}.{name}"] = float(result.pvalue)
        vectors.append(vector)
    return vectors


def u_distribution_vectors():
    """P(U <= u) by scipy's exact p-value of samples that are built to have that statistic."""
    vectors = []
    for m, n in ((1, 1), (1, 4), (3, 5), (5, 5), (8, 20), (30, 30)):
        for u in sorted({0, 1, 2, m * n // 5, m * n // 2, m * n - 1, m * n}):
            # Of the n values of the second sample, put u // m above all of the first and one above u % m of them.
            first = [10.0 * (i + 1) for i in range(m)]
            full, rest = divmod(u, m)
            second = [1e6 + i for i in range(full)] + [-1.0 - i for i in range(n - full)]
            if rest:
                second[full] = 10.0 * rest + 5
            result = stats.mannwhitneyu(second, first, alternative="less", method="exact")
            assert result.statistic == u
            vectors.append([m, n, u, float(result.pvalue)])
    return vectors


def hodges_lehmann_vectors():
    """The interval by its definition: the shifts between differences that an exact test does not reject."""
    vectors = []
    for first, second in samples():
        differences = sorted(b - a for a in first for b in second)
        shift = float(numpy.median(differences))
        if len(set(differences)) < len(differences):
            vectors.append({"first": first, "second": second, "shift": shift})
            continue
        intervals = []
        for confidence in (0.8, 0.95, 0.99):
            edges = [-math.inf] + differences + [math.inf]
            kept = []
            for low, high in zip(edges, edges[1:]):
                middle = high - 1 if math.isinf(low) else low + 1 if math.isinf(high) else (low + high) / 2
                p = stats.mannwhitneyu([b - middle for b in second], first, method="exact").pvalue
                if p > 1 - confidence:
                    kept += [low, high]
            interval = [min(kept), max(kept)]
            intervals.append([confidence] + [end if math.isfinite(end) else None for end in interval])
        vectors.append({"first": first, "second": second, "shift": shift, "intervals": intervals})
    return vectors


def holm_vectors():
    source = random.Random(3)
    families = [
        [0.01, 0.04, 0.03, 0.005],
        [0.5, 0.5, 0.5],
        [0.02],
        [0.0, 1.0, 1e-12, 0.0499],
        [round(source.random() ** 4, 9) for _ in range(40)],
    ]
    return [
        {"pValues": family, "adjusted": [float(p) for p in multipletests(family, method="holm")[1]]}
        for family in families
    ]


def paired_differences():
    """Differences of pairs: of launches, tied, with zeros, one-sided, tiny."""
    source = random.Random(20261121)
    vectors = [[round(source.gauss(shift, 1), 6) for _ in range(n)] for n, shift in ((5, 0.5), (9, 0), (14, 1), (40, 0.2))]
    return vectors + [[1, 2, 2, -1, 3, -2, 0.5], [0, 0, 1, -1, 2], [3, 3, 3, 3], [-0.25]]


def signed_rank_tails(differences):
    """P(sum of positive ranks >= observed) and <=, over all choices of signs."""
    kept = [d for d in differences if d]
    ranks = stats.rankdata(numpy.abs(kept))
    observed = sum(r for r, d in zip(ranks, kept) if d > 0)
    sums = numpy.zeros(1)
    for rank in ranks:
        sums = numpy.concatenate([sums, sums + rank])
    return float(observed), float(numpy.mean(sums >= observed)), float(numpy.mean(sums <= observed))


def paired_vectors():
    vectors = []
    for differences in paired_differences():
        kept = [d for d in differences if d]
        vector = {"differences": differences}
        if len(kept) <= 20:
            vector["positiveSum"], greater, less = signed_rank_tails(differences)
            vector["signedRank"] = [min(1.0, 2 * min(greater, less)), greater, less]
        else:
            exact = [stats.wilcoxon(kept, alternative=a, method="exact") for a in ("two-sided", "greater", "less")]
            vector["positiveSum"] = float(exact[1].statistic)
            vector["signedRank"] = [float(result.pvalue) for result in exact]
        vector["asymptotic"] = [
            float(stats.wilcoxon(kept, alternative=a, method="approx", correction=True).pvalue)
            for a in ("two-sided", "greater", "less")
        ]
        averages = sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(differences, 2))
        vector["shift"] = float(numpy.median(averages))
        untied = len({abs(d) for d in differences}) == len(kept) == len(differences)
        if untied and len(differences) <= 14:
            vector["intervals"] = [paired_interval(differences, averages, confidence) for confidence in (0.8, 0.95)]
        vectors.append(vector)
    return vectors


def paired_interval(differences, averages, confidence):
    """The interval by its definition: the shifts between averages that the exact test does not reject."""
    edges = [-math.inf] + averages + [math.inf]
    kept = []
    for low, high in zip(edges, edges[1:]):
        middle = high - 1 if math.isinf(low) else low + 1 if math.isinf(high) else (low + high) / 2
        _, greater, less = signed_rank_tails([d - middle for d in differences])
        if 2 * min(greater, less) > 1 - confidence:
            kept += [low, high]
    return [confidence] + [end if math.isfinite(end) else None for end in (min(kept), max(kept))]


def outlier_vectors():
    skewed = [
        [1, 1.1, 1.2, 1.3, 1.5, 1.9, 2.6, 4, 9],
        [1, 2, 2, 2, 3, 4, 5, 5, 9, 20],
        [-9, -3, -2, -1.5, -1.2, -1, -0.9],
        [2, 2, 2, 2, 2],
    ]
    vectors = []
    for sample in [sample for sample in itertools.chain(*samples()) if len(sample) > 2] + skewed:
        low, high = numpy.quantile(sample, [0.25, 0.75])
        skewness = float(medcouple(numpy.array(sample, dtype=float), use_fast=False))
        below, above = (-4, 3) if skewness >= 0 else (-3, 4)
        inner = [float(low - 1.5 * (high - low)), float(high + 1.5 * (high - low))]
        adjusted = [
            float(low - 1.5 * math.exp(below * skewness) * (high - low)),
            float(high + 1.5 * math.exp(above * skewness) * (high - low)),
        ]
        beyond = sum(not inner[0] <= value <= inner[1] for value in sample)
        vectors.append(
            {"sample": sample, "medcouple": skewness, "tukey": inner, "adjusted": adjusted, "beyond": beyond}
        )
    return vectors


def dip_vectors():
    source = random.Random(5)
    two_modes = [source.gauss(100 if index % 2 else 150, 2) for index in range(40)]
    made = list(itertools.chain(*samples())) + [two_modes, [source.random() for _ in range(150)], [1, 1, 1, 2, 2, 9, 9, 9]]
    vectors = []
    for sample in made:
        ordered = sorted(float(value) for value in sample)
        if len(ordered) >= 4:
            dip, p = diptest.diptest(numpy.array(ordered), boot_pval=False)
            vectors.append({"sample": ordered, "dip": float(dip), "pValue": float(p)})
    return vectors


# Yearly flow of the Nile at Aswan, 1871 to 1970 (Cobb 1978): lower from 1899 on, as is well known.
NILE = [
    1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140, 1100,
    1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969, 831, 726, 456,
    824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759, 781, 865, 845, 944, 984, 897,
    822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749, 838, 1050, 918, 986, 797, 923, 975,
    815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740,
]


def change_vectors():
    """The best split of a series by the definition of the energy statistic."""
    source = random.Random(11)
    step = [source.gauss(100, 1) for _ in range(20)] + [source.gauss(102, 1) for _ in range(15)]
    spread = [source.gauss(0, 1) for _ in range(25)] + [source.gauss(0, 6) for _ in range(25)]
    bump = [source.gauss(10, 0.1) for _ in range(12)] + [11.0, 11.1, 10.9, 11.2] + [source.gauss(10, 0.1) for _ in range(12)]
    vectors = []
    for series in ([float(value) for value in NILE], step, spread, bump, [1.0] * 9):
        best = (-math.inf, 0)
        for split in range(3, len(series) - 2):
            for end in range(split + 3, len(series) + 1):
                before, behind = numpy.array(series[:split]), numpy.array(series[split:end])
                m, n = len(before), len(behind)
                between = 2 * numpy.abs(before[:, None] - behind).mean()
                first = numpy.abs(before[:, None] - before).sum() / (m * (m - 1))
                second = numpy.abs(behind[:, None] - behind).sum() / (n * (n - 1))
                statistic = float(m * n / (m + n) * (between - first - second))
                # Sums in another order differ by rounding: the first of equal splits counts.
                if statistic > best[0] + 1e-9:
                    best = (statistic, split)
        vectors.append({"series": series, "index": best[1], "statistic": best[0]})
    return vectors


def histogram_vectors():
    """Values are a list, or random bits shifted down: (seed, least shift, number of shifts)."""

    def shifted(seed, least, shifts):
        generator = Xoshiro256(seed)
        values = []
        for _ in range(10_000):
            shift = least + generator.below(shifts)
            values.append(generator.next() >> shift)
        return values

    recordings = [
        ([5, 33, 1], shifted(5, 33, 1)),
        ([6, 23, 40], shifted(6, 23, 40)),
        ([7, 54, 4], shifted(7, 54, 4)),
        (None, [1 << bit for bit in range(0, 41)] + [(1 << bit) - 1 for bit in range(1, 41)]),
    ]
    vectors = []
    for (made, values), digits in itertools.product(recordings, (1, 2, 3)):
        histogram = HdrHistogram(1, 3_600_000_000_000, digits)
        for value in values:
            histogram.record_value(value)
        # Libraries round ranks differently: only percentiles whose rank is whole.
        percentiles = [p for p in (1, 10, 25, 50, 75, 90, 99, 99.9, 99.99, 100) if exact_rank(p, len(values))]
        vectors.append(
            {
                "digits": digits,
                "made": made,
                "values": None if made else values,
                "mean": histogram.get_mean_value(),
                "percentiles": percentiles,
                # HdrHistogram answers with the top of a step; ours is kept between the exact extremes.
                "atPercentiles": [
                    max(min(values), min(histogram.get_value_at_percentile(p), max(values))) for p in percentiles
                ],
            }
        )
    return vectors


LAWS = {
    "1": lambda n: 1.0,
    "log n": math.log2,
    "n": lambda n: n,
    "n log n": lambda n: n * math.log2(n),
    "n²": lambda n: n * n,
}


def relative_fit(columns):
    """Least squares of the columns to ones: errors relative to the values by which the columns are divided."""
    matrix = numpy.array(columns, dtype=float).T
    ones = numpy.ones(matrix.shape[0])
    # Columns of length 1, or the rank would be misjudged.
    lengths = numpy.linalg.norm(matrix, axis=0)
    solution = numpy.linalg.lstsq(matrix / lengths, ones, rcond=None)[0] / lengths
    triangle = numpy.linalg.qr(matrix / lengths, mode="r")
    inverse = numpy.linalg.inv(triangle)
    inverse = (inverse @ inverse.T) / numpy.outer(lengths, lengths)
    residual = float(numpy.sum((matrix @ solution - ones) ** 2))
    return [float(value) for value in solution], inverse, residual, matrix.shape[0]


def complexity_vectors():
    source = random.Random(20250102)
    vectors = []
    for law, base, spread in (("1", 30, 0.05), ("log n", 5, 0.02), ("n", 100, 0.03), ("n log n", 0, 0.1), ("n²", 9, 0.2)):
        sizes = [2 ** k for k in range(1, 12)] * 2
        points = [[n, round((2.5 * LAWS[law](n) + base) * math.exp(spread * source.gauss(0, 1)), 6)] for n in sizes]
        fits = []
        for name, growth in LAWS.items():
            columns = [[growth(n) / y for n, y in points]] + ([[1 / y for _, y in points]] if name != "1" else [])
            solution, inverse, residual, count = relative_fit(columns)
            if solution[0] <= 0:
                continue
            free = count - len(columns)
            reach = float(stats.t.ppf(0.975, free)) * math.sqrt(inverse[0][0] * residual / free)
            fits.append({
                "law": name,
                "base": solution[1] if name != "1" else 0,
                "factor": solution[0],
                "interval": [solution[0] - reach, solution[0] + reach],
                "error": math.sqrt(residual / count),
                "criterion": count * math.log(residual / count) + len(columns) * math.log(count),
            })
        vectors.append({"points": points, "fits": sorted(fits, key=lambda fit: fit["criterion"])})
    return vectors


def scalability_vectors():
    source = random.Random(20250103)
    vectors = []
    for rate, contention, coherence, spread in (
        (1e6, 0.1, 0.02, 0.01), (5e7, 0.6, 0.001, 0.05), (100, 0, 0.05, 0.02), (3e3, 0.3, 0, 0.001), (2e5, 0, 0, 0.1)
    ):
        points = []
        for threads in [1, 2, 3, 4, 5, 6, 7, 8] * 2:
            law = rate * threads / (1 + contention * (threads - 1) + coherence * threads * (threads - 1))
            points.append([threads, round(law * math.exp(spread * source.gauss(0, 1)), 4)])
        columns = [[x / n * column(n) for n, x in points]
                   for column in (lambda n: 1, lambda n: n - 1, lambda n: n * (n - 1))]
        legal = optimize.nnls(numpy.array(columns).T, numpy.ones(len(points)))[0]
        kept = [index for index in range(3) if legal[index] > 0]
        solution, inverse, residual, count = relative_fit([columns[index] for index in kept])
        variance = residual / (count - len(kept))
        reach = float(stats.t.ppf(0.975, count - len(kept)))

        def quotient(column):
            if column not in kept:
                return [0, 0, 0]
            place = kept.index(column)
            value = solution[place] / solution[0]
            gradient = numpy.zeros(len(kept))
            gradient[place] += 1
            gradient[0] -= value
            width = reach * math.sqrt(variance * float(gradient @ inverse @ gradient)) / solution[0]
            return [value, max(0, value - width), value + width]

        width = reach * math.sqrt(variance * inverse[0][0]) / solution[0]
        vectors.append({
            "points": points,
            "rate": [1 / solution[0], (1 - width) / solution[0], (1 + width) / solution[0]],
            "contention": quotient(1),
            "coherence": quotient(2),
            "error": math.sqrt(residual / count),
        })
    return vectors


def exact_rank(percentile, count):
    rank = percentile * count / 100
    return abs(rank - round(rank)) < 1e-6


def differences(path, old, new):
    """Where two documents differ by more than 1e-9, as lines of text."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for name in old:
            yield from differences(f"{path}.{name}", old[name], new[name])
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (a, b) in enumerate(zip(old, new)):
            yield from differences(f"{path}[{index}]", a, b)
    elif isinstance(old, (int, float)) and isinstance(new, (int, float)):
        if not math.isclose(old, new, rel_tol=1e-9, abs_tol=1e-300):
            yield f"{path}: {old} in the file, {new} now"
    elif old != new:
        yield f"{path}: {str(old)[:60]} in the file, {str(new)[:60]} now"


def main():
    write = sys.argv[1:] == ["--write"]
    if sys.argv[1:] and not write:
        print(__doc__, file=sys.stderr)
        return 64
    documents = {
        "random": random_vectors(),
        "distributions": distribution_vectors(),
        "summary": summary_vectors(),
        "mann-whitney": mann_whitney_vectors(),
        "u-distribution": u_distribution_vectors(),
        "hodges-lehmann": hodges_lehmann_vectors(),
        "holm": holm_vectors(),
        "paired": paired_vectors(),
        "outliers": outlier_vectors(),
        "dip": dip_vectors(),
        "changes": change_vectors(),
        "histogram": histogram_vectors(),
        "complexity": complexity_vectors(),
        "scalability": scalability_vectors(),
    }
    found = []
    for name, document in documents.items():
        file = FOLDER / f"{name}.json"
        if write:
            file.write_text(json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n")
        elif not file.exists():
            found.append(f"{name}: {file} is missing")
        else:
            found += differences(name, json.loads(file.read_text()), json.loads(json.dumps(document)))
    if write:
        print(f"check-statistics: wrote {len(documents)} files to {FOLDER}")
    else:
        for line in found[:50]:
            print(line)
        print(f"check-statistics: {len(documents)} files, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
