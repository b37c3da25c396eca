// Litmus tests with their exact sets of outcomes.
//
// The names are those of S. Sarkar, P. Sewell, J. Alglave, L. Maranget, D. Williams, "Understanding POWER
// Multiprocessors" (2011) and of the papers named beside them.

let litmusTests: [Litmus] =
  coherence + messagePassing + storeBuffering + loadBuffering + independentReads + writesOnly + causality
  + releaseSequences + readModifyWrites + mutualExclusion + seqlocks + asymmetricFences

private let everyPair = "00 01 10 11"
private let everyTriple = "000 001 010 011 100 101 110 111"
private let everyQuadruple =
  "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111"

private func without(_ outcome: String, _ outcomes: String) -> String {
  outcomes.split(separator: " ").filter { $0 != outcome }.joined(separator: " ")
}

/// One location: everybody agrees on the order of its writes.
private let coherence = [
  Litmus("CoRR", "x = 1 rlx | r0 = x rlx; r1 = x rlx", "", "00 01 11"),
  Litmus("CoWW", "x = 1 rlx; x = 2 rlx", "x", "2"),
  Litmus("CoWR", "x = 1 rlx; r0 = x rlx | x = 2 rlx", "x", "11 12 22"),
  Litmus("CoWR behind a read", "x = 1 rel; r0 = x acq | r1 = x acq; when r1 1; x = 2 rel", "x", "101 112 212"),
  Litmus("n5", "x = 1 rel; r0 = x acq | x = 2 rel; r1 = x acq", "", "11 12 22"),
  Litmus("n6", "x = 1 rel; r0 = x acq; r1 = y acq | y = 2 rel; x = 2 rel", "x", "101 102 121 122 222"),
  Litmus("CoRW1", "r0 = x rlx; x = 1 rlx", "x", "01"),
  Litmus("CoRW2", "r0 = x rlx; x = 1 rlx | x = 2 rlx", "x", "01 02 21"),
  Litmus(
    "CoRR of two writers", "x = 1 rlx | x = 2 rlx | r0 = x rlx; r1 = x rlx | r2 = x rlx; r3 = x rlx", "",
    "0000 0001 0002 0011 0012 0021 0022 0100 0101 0102 0111 0112 0121 0122 0200 0201 0202 0211 0212 0221 0222 "
      + "1100 1101 1102 1111 1112 1121 1122 1200 1201 1202 1211 1212 1222 2100 2101 2102 2111 2121 2122 2200 2201 "
      + "2202 2211 2212 2221 2222"),
  Litmus(
    "between two writes", "x = 1 rlx; x = 2 rlx | x = 3 rlx | r0 = x rlx; r1 = x rlx; r2 = x rlx", "x",
    "0002 0003 0012 0013 0022 0023 0032 0033 0112 0113 0122 0123 0132 0133 0222 0223 0233 0312 0322 0332 0333 "
      + "1112 1113 1122 1123 1132 1133 1222 1223 1233 1322 1332 1333 2222 2223 2233 2333 3112 3122 3222 3312 3322 "
      + "3332 3333"),
  Litmus("CoRR behind a release", "x = 1 rel; x = 2 rlx | r0 = x acq; r1 = x rlx", "", "00 01 02 11 12 22"),
]

/// Data, and a flag that says that it is there.
private let messagePassing = [
  Litmus("MP", "x = 1 rlx; y = 1 rlx | r0 = y rlx; r1 = x rlx", "", everyPair, tso: "00 01 11"),
  Litmus("MP+rel+acq", "x = 1 rlx; y = 1 rel | r0 = y acq; r1 = x rlx", "", "00 01 11"),
  Litmus("MP+rel+rlx", "x = 1 rlx; y = 1 rel | r0 = y rlx; r1 = x rlx", "", everyPair, tso: "00 01 11"),
  Litmus("MP+rlx+acq", "x = 1 rlx; y = 1 rlx | r0 = y acq; r1 = x rlx", "", everyPair, tso: "00 01 11"),
  Litmus("MP+sc+sc", "x = 1 sc; y = 1 sc | r0 = y sc; r1 = x sc", "", "00 01 11"),
  Litmus(
    "MP+fences", "x = 1 rlx; fence rel; y = 1 rlx | r0 = y rlx; fence acq; r1 = x rlx", "", "00 01 11"),
  Litmus("MP+fence+acq", "x = 1 rlx; fence rel; y = 1 rlx | r0 = y acq; r1 = x rlx", "", "00 01 11"),
  Litmus("MP+rel+fence", "x = 1 rlx; y = 1 rel | r0 = y rlx; fence acq; r1 = x rlx", "", "00 01 11"),
  Litmus(
    "MP+acq fences", "x = 1 rlx; fence acq; y = 1 rlx | r0 = y rlx; fence acq; r1 = x rlx", "", everyPair,
    tso: "00 01 11"),
  Litmus(
    "MP+rel fences", "x = 1 rlx; fence rel; y = 1 rlx | r0 = y rlx; fence rel; r1 = x rlx", "", everyPair,
    tso: "00 01 11"),
  Litmus("MP+sc fences", "x = 1 rlx; fence sc; y = 1 rlx | r0 = y rlx; fence sc; r1 = x rlx", "", "00 01 11"),
  Litmus(
    "MP+fence in front", "fence rel; x = 1 rlx; y = 1 rlx | r0 = y acq; r1 = x rlx", "", everyPair, tso: "00 01 11"),
  Litmus("MP plain", "x = 1 na; y = 1 rel | r0 = y acq; when r0 1; r1 = x na", "", "0- 11"),
  Litmus("MP plain+rlx", "x = 1 na; y = 1 rlx | r0 = y acq; when r0 1; r1 = x na", "", "0- race"),
  Litmus("MP plain+rlx reader", "x = 1 na; y = 1 rel | r0 = y rlx; when r0 1; r1 = x na", "", "0- race"),
  Litmus(
    "MP plain+fences", "x = 1 na; fence rel; y = 1 rlx | r0 = y rlx; fence acq; when r0 1; r1 = x na", "", "0- 11"),
  Litmus("plain unguarded", "x = 1 na | r0 = x na", "", "race"),
  Litmus("plain writers", "x = 1 na | x = 2 na", "", "race"),
  Litmus("plain and atomic", "x = 1 na | r0 = x rlx", "", "race"),
]

/// Each thread announces itself and looks for the other.
private let storeBuffering = [
  Litmus("SB", "x = 1 rlx; r0 = y rlx | y = 1 rlx; r1 = x rlx", "", everyPair),
  Litmus("SB+rel+acq", "x = 1 rel; r0 = y acq | y = 1 rel; r1 = x acq", "", everyPair),
  Litmus("SB+sc", "x = 1 sc; r0 = y sc | y = 1 sc; r1 = x sc", "", "01 10 11"),
  Litmus("SB+sc fences", "x = 1 rlx; fence sc; r0 = y rlx | y = 1 rlx; fence sc; r1 = x rlx", "", "01 10 11"),
  Litmus("SB+sc fence", "x = 1 rlx; fence sc; r0 = y rlx | y = 1 rlx; r1 = x rlx", "", everyPair),
  Litmus(
    "SB+acqrel fences", "x = 1 rlx; fence acqrel; r0 = y rlx | y = 1 rlx; fence acqrel; r1 = x rlx", "", everyPair),
  Litmus("SB+sc stores", "x = 1 sc; r0 = y acq | y = 1 sc; r1 = x acq", "", everyPair, tso: "01 10 11"),
  Litmus("SB+sc loads", "x = 1 rel; r0 = y sc | y = 1 rel; r1 = x sc", "", everyPair),
  Litmus(
    "SB+sc fence+sc", "x = 1 rlx; fence sc; r0 = y rlx | y = 1 sc; r1 = x sc", "", "01 10 11"),
  Litmus(
    "SB+exchanges", "r2 = xchg x 1 acqrel; r0 = y acq | r3 = xchg y 1 acqrel; r1 = x acq", "", "0000 0100 1000 1100",
    tso: "0100 1000 1100"),
  Litmus(
    "SB+sc exchanges", "r2 = xchg x 1 sc; r0 = y sc | r3 = xchg y 1 sc; r1 = x sc", "", "0100 1000 1100"),
  Litmus(
    "SB+additions to a third",
    "x = 1 rlx; r2 = add z 1 acqrel; r0 = y rlx | y = 1 rlx; r3 = add z 1 acqrel; r1 = x rlx",
    "", "0101 1101 1010 1110"),
  Litmus(
    "SB+own reads", "x = 1 rel; r0 = x acq; r1 = y acq | y = 1 rel; r2 = y acq; r3 = x acq", "",
    "1010 1011 1110 1111"),
  Litmus(
    "3.SB+sc fences",
    "x = 1 rlx; fence sc; r0 = y rlx | y = 1 rlx; fence sc; r1 = z rlx | z = 1 rlx; fence sc; r2 = x rlx", "",
    without("000", everyTriple)),
  Litmus("3.SB", "x = 1 rlx; r0 = y rlx | y = 1 rlx; r1 = z rlx | z = 1 rlx; r2 = x rlx", "", everyTriple),
]

/// Loads that would see stores behind them: not in RC11.
private let loadBuffering = [
  Litmus("LB", "r0 = x rlx; y = 1 rlx | r1 = y rlx; x = 1 rlx", "", "00 01 10"),
  Litmus("LB+acq+rel", "r0 = x acq; y = 1 rel | r1 = y acq; x = 1 rel", "", "00 01 10"),
  Litmus("LB+data", "r0 = x rlx; y = r0 rlx | r1 = y rlx; x = r1 rlx", "", "00"),
  Litmus(
    "3.LB", "r0 = x rlx; y = 1 rlx | r1 = y rlx; z = 1 rlx | r2 = z rlx; x = 1 rlx", "",
    without("111", everyTriple)),
]

/// Two readers, and whether they agree on the order of writes to two locations.
private let independentReads = [
  Litmus(
    "IRIW", "x = 1 rlx | y = 1 rlx | r0 = x rlx; r1 = y rlx | r2 = y rlx; r3 = x rlx", "", everyQuadruple,
    tso: without("1010", everyQuadruple)),
  Litmus(
    "IRIW+rel+acq", "x = 1 rel | y = 1 rel | r0 = x acq; r1 = y acq | r2 = y acq; r3 = x acq", "", everyQuadruple,
    tso: without("1010", everyQuadruple)),
  Litmus(
    "IRIW+sc", "x = 1 sc | y = 1 sc | r0 = x sc; r1 = y sc | r2 = y sc; r3 = x sc", "",
    without("1010", everyQuadruple)),
  // Lahav and others, figure 4: the first reads needn't be sequentially consistent for C11 to forbid it.
  Litmus(
    "IRIW-acq-sc", "x = 1 sc | y = 1 sc | r0 = x acq; r1 = y sc | r2 = y acq; r3 = x sc", "", everyQuadruple,
    tso: without("1010", everyQuadruple)),
  Litmus(
    "IRIW+sc fences",
    "x = 1 rlx | y = 1 rlx | r0 = x rlx; fence sc; r1 = y rlx | r2 = y rlx; fence sc; r3 = x rlx", "",
    without("1010", everyQuadruple)),
  Litmus(
    "IRIW+sc fence",
    "x = 1 rlx | y = 1 rlx | r0 = x rlx; fence sc; r1 = y rlx | r2 = y rlx; fence acqrel; r3 = x rlx", "",
    everyQuadruple, tso: without("1010", everyQuadruple)),
]

/// Nothing but stores, and what stays; then shapes with one load.
private let writesOnly = [
  Litmus("2+2W", "x = 1 rlx; y = 2 rlx | y = 1 rlx; x = 2 rlx", "xy", "11 12 21 22", tso: "12 21 22"),
  Litmus("2+2W+rel", "x = 1 rel; y = 2 rel | y = 1 rel; x = 2 rel", "xy", "11 12 21 22", tso: "12 21 22"),
  Litmus("2+2W+sc", "x = 1 sc; y = 2 sc | y = 1 sc; x = 2 sc", "xy", "12 21 22"),
  Litmus(
    "2+2W+sc fences", "x = 1 rlx; fence sc; y = 2 rlx | y = 1 rlx; fence sc; x = 2 rlx", "xy", "12 21 22"),
  Litmus("R", "x = 1 rlx; y = 1 rlx | y = 2 rlx; r0 = x rlx", "y", "01 02 11 12"),
  Litmus("R+sc", "x = 1 sc; y = 1 sc | y = 2 sc; r0 = x sc", "y", "01 11 12"),
  Litmus("R+sc fences", "x = 1 rlx; fence sc; y = 1 rlx | y = 2 rlx; fence sc; r0 = x rlx", "y", "01 11 12"),
  Litmus("R+rel+acq", "x = 1 rlx; y = 1 rel | y = 2 rel; r0 = x acq", "y", "01 02 11 12"),
  Litmus("S", "x = 2 rlx; y = 1 rlx | r0 = y rlx; x = 1 rlx", "x", "01 02 11 12", tso: "01 02 11"),
  Litmus("S+rel+acq", "x = 2 rlx; y = 1 rel | r0 = y acq; x = 1 rlx", "x", "01 02 11"),
  Litmus(
    "S+rel+data", "x = 1 rlx; x = 2 rlx; y = 1 rel | r0 = y rlx; x = r0 rlx", "x", "00 02 11 12",
    tso: "00 02 11"),
]

/// What is learnt from somebody who has learnt it.
private let causality = [
  Litmus(
    "WRC", "x = 1 rlx | r0 = x rlx; y = 1 rlx | r1 = y rlx; r2 = x rlx", "", everyTriple,
    tso: without("110", everyTriple)),
  Litmus(
    "WRC+rel+acq", "x = 1 rlx | r0 = x rlx; y = 1 rel | r1 = y acq; r2 = x rlx", "", without("110", everyTriple)),
  Litmus(
    "WRC+fences", "x = 1 rlx | r0 = x rlx; fence rel; y = 1 rlx | r1 = y rlx; fence acq; r2 = x rlx", "",
    without("110", everyTriple)),
  Litmus(
    "ISA2", "x = 1 rlx; y = 1 rel | r0 = y acq; z = 1 rel | r1 = z acq; r2 = x rlx", "",
    without("110", everyTriple)),
  Litmus(
    "ISA2+rlx", "x = 1 rlx; y = 1 rel | r0 = y rlx; z = 1 rel | r1 = z acq; r2 = x rlx", "", everyTriple,
    tso: without("110", everyTriple)),
  Litmus("RWC", "x = 1 rlx | r0 = x rlx; r1 = y rlx | y = 1 rlx; r2 = x rlx", "", everyTriple),
  Litmus("RWC+sc", "x = 1 sc | r0 = x sc; r1 = y sc | y = 1 sc; r2 = x sc", "", without("100", everyTriple)),
  // Lahav and others: C11 allows it, RC11 does not.
  Litmus(
    "RWC+syncs", "x = 1 rlx | r0 = x rlx; fence sc; r1 = y rlx | y = 1 rlx; fence sc; r2 = x rlx", "",
    without("100", everyTriple)),
  Litmus(
    "W+RWC", "x = 1 rlx; z = 1 rel | r0 = z acq; fence sc; r1 = y rlx | y = 1 rlx; fence sc; r2 = x rlx", "",
    without("100", everyTriple)),
  // Lahav and others, figure 1: b = 1, c = 3, a = 0 is forbidden by C11 and seen on Power.
  Litmus(
    "Z6.U", "x = 1 sc; y = 1 rel | r0 = add y 1 sc; r1 = y rlx | y = 3 sc; r2 = x sc", "",
    "010 011 030 031 120 121 130 131 310 311 340 341",
    tso: "010 011 030 031 120 121 131 310 311 340 341"),
  Litmus(
    "WWC+rel+acq", "x = 2 rlx | r0 = x rlx; y = 1 rel | r1 = y acq; x = 1 rlx", "x",
    "001 002 011 012 101 102 201 202 211"),
]

/// P0982: a release, and the read-modify-writes that follow each other from it.
private let releaseSequences = [
  Litmus(
    "RS+exchange", "x = 1 rlx; y = 1 rel | r0 = xchg y 2 rlx | r1 = y acq; r2 = x rlx", "",
    "000 001 011 020 021 100 101 111 121"),
  Litmus(
    "RS+own store", "x = 1 rlx; y = 1 rel; y = 2 rlx | r0 = y acq; r1 = x rlx", "", "00 01 11 20 21", tso: "00 01 11 21"
  ),
  Litmus(
    "RS+fence+own store", "x = 1 rlx; fence rel; y = 1 rlx; y = 2 rlx | r0 = y acq; r1 = x rlx", "", "00 01 11 21"),
  Litmus(
    "RS+other's store", "x = 1 rlx; y = 1 rel | y = 2 rlx | r0 = y acq; r1 = x rlx", "", "00 01 11 20 21"),
  Litmus(
    "RS+own addition", "x = 1 rlx; y = 1 rel; r2 = add y 1 rlx | r0 = y acq; r1 = x rlx", "", "001 011 111 211"),
  Litmus(
    "RS+two exchanges",
    "x = 1 na; y = 1 rel | r0 = cas y 1 2 rlx rlx | r1 = cas y 2 3 rlx rlx | r2 = y acq; when r2 3; r3 = x na", "",
    "000- 001- 010- 011- 100- 101- 102- 110- 111- 112- 120- 121- 122- 1231"),
  Litmus("RS+acquiring exchange", "x = 1 rlx; y = 1 rel | r0 = xchg y 2 acq; r1 = x rlx", "", "00 01 11"),
  Litmus(
    "RS+relaxed exchange", "x = 1 rlx; y = 1 rel | r0 = xchg y 2 rlx; r1 = x rlx", "", everyPair, tso: "00 01 11"),
]

private let readModifyWrites = [
  Litmus("additions", "r0 = add x 1 rlx | r1 = add x 1 rlx", "x", "012 102"),
  Litmus(
    "three additions", "r0 = add x 1 rlx | r1 = add x 1 rlx | r2 = add x 1 rlx", "x",
    "0123 0213 1023 1203 2013 2103"),
  Litmus("compare-exchanges", "r0 = cas x 0 1 rlx rlx | r1 = cas x 0 2 rlx rlx", "x", "011 202"),
  Litmus("addition in two steps", "r0 = x rlx; x = 1 rlx | r1 = add x 2 rlx", "x", "001 201 013"),
  Litmus("exchange and store", "x = 1 rlx | r0 = xchg x 2 rlx", "x", "01 12"),
  Litmus("failing compare-exchange", "x = 1 rlx | r0 = cas x 5 6 rlx rlx", "x", "01 11"),
  Litmus(
    "MP+failing compare-exchange", "x = 1 rlx; y = 1 rel | r0 = cas y 5 6 acqrel acq; r1 = x rlx", "", "00 01 11"),
  Litmus(
    "MP+relaxed failure", "x = 1 rlx; y = 1 rel | r0 = cas y 5 6 acqrel rlx; r1 = x rlx", "", everyPair,
    tso: "00 01 11"),
  Litmus(
    "last reference",
    "r0 = x na; r1 = add c 1 rel; when r1 1; fence acq; x = 2 na"
      + " | r2 = x na; r3 = add c 1 rel; when r3 1; fence acq; x = 3 na", "", "0001 0100"),
  Litmus(
    "last reference without fence",
    "r0 = x na; r1 = add c 1 rel; when r1 1; x = 2 na | r2 = x na; r3 = add c 1 rel; when r3 1; x = 3 na", "", "race"),
]

private let mutualExclusion = [
  Litmus(
    "Dekker", "x = 1 sc; r0 = y sc; when r0 0; z = 1 na | y = 1 sc; r1 = x sc; when r1 0; z = 2 na", "", "01 10 11"),
  Litmus(
    "Dekker+rel+acq", "x = 1 rel; r0 = y acq; when r0 0; z = 1 na | y = 1 rel; r1 = x acq; when r1 0; z = 2 na", "",
    "01 10 11 race"),
  Litmus(
    "lock",
    "r0 = cas l 0 1 acq rlx; when r0 0; x = 1 na; l = 0 rel"
      + " | r1 = cas l 0 1 acq rlx; when r1 0; r2 = x na; l = 0 rel", "", "000 001 01- 100"),
  Litmus(
    "lock+rlx",
    "r0 = cas l 0 1 acq rlx; when r0 0; x = 1 na; l = 0 rlx"
      + " | r1 = cas l 0 1 acq rlx; when r1 0; r2 = x na; l = 0 rlx", "", "01- 100 race"),
]

/// H.-J. Boehm, "Can Seqlocks Get Along With Programming Language Memory Models?" (2012): a reader that has seen the
/// same even number twice has seen both words of one write.
private let seqlocks = [
  Litmus(
    "seqlock",
    "s = 1 rlx; fence rel; x = 1 rlx; y = 1 rlx; s = 2 rel"
      + " | r0 = s acq; r1 = x rlx; r2 = y rlx; fence acq; r3 = s rlx", "",
    "0000 0001 0002 0011 0012 0101 0102 0111 0112 1001 1002 1011 1012 1101 1102 1111 1112 2112"),
  Litmus(
    "seqlock+rel fence missing",
    "s = 1 rlx; x = 1 rlx; y = 1 rlx; s = 2 rel"
      + " | r0 = s acq; r1 = x rlx; r2 = y rlx; fence acq; r3 = s rlx", "",
    "0000 0001 0002 0010 0011 0012 0100 0101 0102 0110 0111 0112 1001 1002 1011 1012 1101 1102 1111 1112 2112",
    tso: "0000 0001 0002 0011 0012 0101 0102 0111 0112 1001 1002 1011 1012 1101 1102 1111 1112 2112"),
  Litmus(
    "seqlock+acq fence missing",
    "s = 1 rlx; fence rel; x = 1 rlx; y = 1 rlx; s = 2 rel"
      + " | r0 = s acq; r1 = x rlx; r2 = y rlx; r3 = s rlx", "",
    "0000 0001 0002 0010 0011 0012 0100 0101 0102 0110 0111 0112 1001 1002 1011 1012 1101 1102 1111 1112 2112",
    tso: "0000 0001 0002 0011 0012 0101 0102 0111 0112 1001 1002 1011 1012 1101 1102 1111 1112 2112"),
  Litmus(
    "seqlock+rlx reader",
    "s = 1 rlx; fence rel; x = 1 rlx; y = 1 rlx; s = 2 rel"
      + " | r0 = s rlx; r1 = x rlx; r2 = y rlx; fence acq; r3 = s rlx", "",
    "0000 0001 0002 0011 0012 0101 0102 0111 0112 1001 1002 1011 1012 1101 1102 1111 1112 2002 2012 2102 2112",
    tso: "0000 0001 0002 0011 0012 0101 0102 0111 0112 1001 1002 1011 1012 1101 1102 1111 1112 2112"),
]

/// P1202: a fence that costs nothing, and one that makes up for it.
private let asymmetricFences = [
  Litmus("SB+light+heavy", "x = 1 rlx; light; r0 = y rlx | y = 1 rlx; heavy; r1 = x rlx", "", "01 10 11"),
  // The compiler may turn the store and the load round; the machine would not.
  Litmus("SB+none+heavy", "x = 1 rlx; r0 = y rlx | y = 1 rlx; heavy; r1 = x rlx", "", everyPair, tso: "01 10 11"),
  Litmus("SB+light+light", "x = 1 rlx; light; r0 = y rlx | y = 1 rlx; light; r1 = x rlx", "", everyPair),
  Litmus("SB+heavy+heavy", "x = 1 rlx; heavy; r0 = y rlx | y = 1 rlx; heavy; r1 = x rlx", "", "01 10 11"),
  Litmus("SB+light+sc fence", "x = 1 rlx; light; r0 = y rlx | y = 1 rlx; fence sc; r1 = x rlx", "", everyPair),
  Litmus("SB+heavy+sc fence", "x = 1 rlx; heavy; r0 = y rlx | y = 1 rlx; fence sc; r1 = x rlx", "", "01 10 11"),
  Litmus("MP+light+heavy", "x = 1 rlx; light; y = 1 rlx | r0 = y rlx; heavy; r1 = x rlx", "", "00 01 11"),
  Litmus("MP+heavy+light", "x = 1 rlx; heavy; y = 1 rlx | r0 = y rlx; light; r1 = x rlx", "", "00 01 11"),
  Litmus(
    "MP+light+light", "x = 1 rlx; light; y = 1 rlx | r0 = y rlx; light; r1 = x rlx", "", everyPair, tso: "00 01 11"),
  Litmus(
    "MP+light+acq", "x = 1 rlx; light; y = 1 rlx | r0 = y acq; r1 = x rlx", "", everyPair, tso: "00 01 11"),
  Litmus(
    "3.SB+light+light+heavy",
    "x = 1 rlx; light; r0 = y rlx | y = 1 rlx; light; r1 = z rlx | z = 1 rlx; heavy; r2 = x rlx", "", everyTriple),
  Litmus(
    "IRIW+light+heavy",
    "x = 1 rlx | y = 1 rlx | r0 = x rlx; light; r1 = y rlx | r2 = y rlx; heavy; r3 = x rlx", "",
    without("1010", everyQuadruple)),
  Litmus(
    "Dekker+light+heavy",
    "x = 1 rlx; light; r0 = y acq; when r0 0; z = 1 na; x = 0 rel | y = 1 rlx; heavy; r1 = x acq; when r1 0; z = 2 na",
    "", everyPair),
]
