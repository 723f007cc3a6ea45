import Testing

@testable import PathCase

/// The chemistry of the bundled database: nothing is made from nothing, and pathway sums match textbooks.
struct BundledChemistryTests {
  private let database: MetabolicDatabase
  private let sums: ReactionSums

  init() throws {
    database = try BundledDatabase.linked.get()
    sums = ReactionSums(database: database)
  }

  @Test func `every process is balanced in each element and in charge`() {
    for process in database.processes.indices {
      #expect(sums.imbalance(of: process) == [:], "\(database.processes[process].id)")
    }
  }

  @Test func `elements of a formula are counted`() {
    #expect(ReactionSums.elements("C34H30FeN4O4") == ["C": 34, "H": 30, "Fe": 1, "N": 4, "O": 4])
    #expect(ReactionSums.elements("CHO3") == ["C": 1, "H": 1, "O": 3])
  }

  @Test func `transports keep their molecules, and reactions change them`() {
    for (process, pools) in database.processes.indices.map({ ($0, database.links.participantPools[$0]) }) {
      let sides = zip(database.processes[process].participants, pools)
      func moved(_ isWanted: (Participant.Role) -> Bool) -> [Int] {
        sides.filter { isWanted($0.0.role) }
          .flatMap { Array(repeating: database.links.poolMetabolites[$0.1], count: Int($0.0.stoichiometry)) }.sorted()
      }
      let isSame = moved(\.isInput) == moved(\.isOutput)
      #expect(isSame == (database.processes[process].kind == .transport), "\(database.processes[process].id)")
    }
  }

  @Test func `EC numbers have four parts`() {
    for process in database.processes {
      guard let enzyme = process.enzyme else { continue }
      let parts = enzyme.split(separator: ".", omittingEmptySubsequences: false)
      #expect(parts.count == 4 && parts.allSatisfy { Int($0) != nil })
      // Translocases too are described as reactions.
      #expect(parts[0].count == 1 && process.kind == .reaction, "\(process.id)")
    }
    let withNumber = database.processes.filter { $0.kind == .reaction && $0.enzyme != nil }.count
    let reactions = database.processes.filter { $0.kind == .reaction }.count
    #expect(Double(withNumber) >= 0.95 * Double(reactions))
  }

  @Test func `glycolysis produces two ATP and two pyruvate from glucose`() {
    let once = ["gck", "pgi", "pfk", "aldo", "tpi"]
    let twice = ["gapdh", "pgk", "pgam", "eno", "pyk"]
    var turns = Dictionary(uniqueKeysWithValues: once.map { ($0 + "-liver", 1.0) })
    for name in twice { turns[name + "-liver"] = 2 }
    #expect(
      sums.net(turns) == [
        "glc": -1, "adp": -2, "pi": -2, "nad": -2, "pyr": 2, "atp": 2, "nadh": 2, "h2o": 2, "h": 2,
      ])
  }

  @Test func `gluconeogenesis costs six phosphates`() {
    let twice = ["pc", "mdh1", "pck1", "eno", "pgam", "pgk", "gapdh"]
    var turns = Dictionary(uniqueKeysWithValues: twice.map { ($0 + "-liver", $0 == "pc" || $0 == "pck1" ? 2.0 : -2) })
    turns["mdh1-liver"] = 2
    turns["mdh2-liver"] = -2
    for name in ["fbp", "g6pc", "g6pt", "glcer"] { turns[name + "-liver"] = 1 }
    for name in ["aldo", "tpi", "pgi"] { turns[name + "-liver"] = -1 }
    turns["mpc-liver"] = 2
    turns["dic-liver"] = 2
    // NADH of the matrix becomes NADH of the cytosol; bicarbonate leaves as carbon dioxide.
    #expect(
      sums.net(turns) == [
        "pyr": -2, "atp": -4, "gtp": -2, "nadh": -2, "hco3": -2, "h2o": -4, "glc": 1, "adp": 4, "gdp": 2, "nad": 2,
        "pi": 6, "co2": 2,
      ])
  }

  @Test func `one turn of the citrate cycle produces three NADH and one GTP`() {
    let steps = ["cs", "aco1", "aco2", "idh3", "ogdh", "suclg", "sdh", "fh", "mdh2"]
    #expect(
      sums.net(Dictionary(uniqueKeysWithValues: steps.map { ($0 + "-liver", 1.0) })) == [
        "accoa": -1, "nad": -3, "q": -1, "gdp": -1, "pi": -1, "h2o": -2, "coa": 1, "nadh": 3, "qh2": 1, "gtp": 1,
        "co2": 2, "h": 2,
      ])
  }

  @Test func `seven turns of beta oxidation produce eight acetyl-CoA from palmitoyl-CoA`() {
    var turns: [String: Double] = ["acat-liver": 1]
    for length in stride(from: 16, through: 4, by: -2) {
      for step in ["acad", "ech", "hadh"] { turns["\(step)\(length)-liver"] = 1 }
      if length > 4 { turns["thio\(length)-liver"] = 1 }
    }
    #expect(
      sums.net(turns) == [
        "palmcoa": -1, "coa": -7, "fad": -7, "nad": -7, "h2o": -7, "accoa": 8, "fadh2": 7, "nadh": 7, "h": 7,
      ])
  }

  @Test func `palmitate synthesis consumes eight acetyl-CoA, fourteen NADPH and seven ATP`() {
    var turns: [String: Double] = ["acc-liver": 7, "fasmt-liver": 7]
    for step in [
      "fasat", "fasks", "faskr", "fasdh", "faser", "fas6", "fas8", "fas10", "fas12", "fas14", "fas16", "faste",
    ] {
      turns[step + "-liver"] = 1
    }
    #expect(
      sums.net(turns) == [
        "accoa": -8, "hco3": -7, "atp": -7, "nadph": -14, "h": -13, "palm": 1, "co2": 7, "adp": 7, "pi": 7,
        "nadp": 14, "coa": 8, "h2o": 6,
      ])
  }

  @Test func `the urea cycle consumes four phosphate bonds`() {
    let steps = ["cps1", "otc", "ornt", "ass", "asl", "arg1"]
    #expect(
      sums.net(Dictionary(uniqueKeysWithValues: steps.map { ($0 + "-liver", 1.0) })) == [
        "nh4": -1, "hco3": -1, "asp": -1, "atp": -3, "h2o": -1, "urea": 1, "fum": 1, "adp": 2, "amp": 1, "pi": 2,
        "ppi": 1, "h": 4,
      ])
  }

  @Test func `two NADH pump twenty protons, and three ATP consume eight`() throws {
    let chain = ["cx1-liver": 2.0, "cx3-liver": 2, "cx4-liver": 1]
    #expect(sums.net(chain) == ["nadh": -2, "o2": -1, "h": -2, "nad": 2, "h2o": 2])
    #expect(protons(chain, "liver-ims") == 20)
    #expect(protons(["cx5-liver": 1], "liver-ims") == -8)
    #expect(protons(["cx5-liver": 1], "liver-mit") == 5)
  }

  private func protons(_ turns: [String: Double], _ compartment: String) -> Double {
    turns.reduce(0) { sum, turn in
      guard let process = database.index.processes[Identifier("r-" + turn.key)] else { return .nan }
      let own = database.processes[process].participants.filter { $0.pool == Identifier("p-h-" + compartment) }
      return sum + own.reduce(0) { $0 + turn.value * ($1.role.isOutput ? 1 : -1) * $1.stoichiometry }
    }
  }

  /// - Source: S. A. Mookerjee et al., J. Biol. Chem. 292, 7189 (2017): 33.45 ATP with the malate–aspartate shuttle.
  @Test func `oxidizing a glucose yields 33.45 ATP, with every intermediate pool balanced`() {
    let cytosolic = 2.0
    let exported = 346.0 / 11
    var turns: [String: Double] = [
      "mpc": 2, "mdh2": 4, "mdh1": -2, "agc": 2, "got2": 2, "got1": 2, "omc": 2, "cx1": 10, "cx3": 12, "cx4": 6,
      "cx5": (exported - 2) / 3, "ant": exported, "pic": exported, "porin": exported + cytosolic,
    ]
    for step in ["gck", "pgi", "pfk", "aldo", "tpi"] { turns[step] = 1 }
    for step in ["gapdh", "pgk", "pgam", "eno", "pyk"] { turns[step] = 2 }
    for step in ["pdh", "cs", "aco1", "aco2", "idh3", "ogdh", "sucla", "sdh", "fh"] { turns[step] = 2 }
    let net = sums.netOfPools(Dictionary(uniqueKeysWithValues: turns.map { ($0.key + "-liver", $0.value) }))
    #expect(
      net.keys.sorted() == [
        "p-adp-liver-cyt", "p-atp-liver-cyt", "p-co2-liver-mit", "p-glc-liver-cyt", "p-h-liver-cyt",
        "p-h2o-liver-cyt", "p-h2o-liver-mit", "p-o2-liver-mit", "p-pi-liver-cyt",
      ])
    #expect(abs((net["p-atp-liver-cyt"] ?? 0) - 33.4545) < 1e-3)
    #expect(abs((net["p-h-liver-cyt"] ?? 0) + 33.4545) < 1e-3)
    #expect(net["p-glc-liver-cyt"] == -1 && net["p-o2-liver-mit"] == -6 && net["p-co2-liver-mit"] == 6)
  }

  @Test func `IMP synthesis consumes two glutamine, one glycine, one aspartate and two formyl groups`() {
    let steps = ["prps", "ppat", "gars", "gart", "pfas", "airs", "airc", "saics", "adsl1", "aict", "impch"]
    let net = sums.net(Dictionary(uniqueKeysWithValues: steps.map { ($0 + "-liver", 1.0) }))
    #expect(net["gln"] == -2 && net["gly"] == -1 && net["asp"] == -1 && net["fthf"] == -2 && net["co2"] == -1)
    #expect(net["r5p"] == -1 && net["atp"] == -5 && net["imp"] == 1)
  }

  @Test func `cholesterol synthesis consumes eighteen acetyl-CoA and eighteen ATP`() {
    var turns: [String: Double] = [
      "acat2-liver": 6, "hmgcs1-liver": 6, "hmgcr-liver": 6, "mvk-liver": 6, "pmvk-liver": 6, "mvd-liver": 6,
      "idi-liver": 2, "fdps1-liver": 2, "fdps2-liver": 2,
    ]
    let rest = [
      "fdft", "sqle", "lss", "cyp51", "tm7sf2", "msmo1", "nsdhl1", "hsd17b7a", "msmo2", "nsdhl2", "hsd17b7b", "ebp",
      "sc5d", "dhcr7", "dhcr24",
    ]
    for step in rest { turns[step + "-liver"] = 1 }
    let net = sums.net(turns)
    #expect(net["accoa"] == -18 && net["atp"] == -18 && net["chol"] == 1 && net["for"] == 1)
    // Six carbons leave with the mevalonates, and two of the three methyl groups that lanosterol loses.
    #expect(net["co2"] == 8 && net["o2"] == -11)
    #expect(net["mev"] == nil && net["ipp"] == nil && net["lano"] == nil)
  }

  @Test func `heme synthesis consumes eight glycine and eight succinyl-CoA`() {
    var turns: [String: Double] = ["alas-liver": 8, "ala5c-liver": 8, "alad-liver": 4]
    for step in ["hmbs", "uros", "urod", "coproi", "cpox", "ppox", "protom", "fech", "haemc"] {
      turns[step + "-liver"] = 1
    }
    let net = sums.net(turns)
    #expect(net["gly"] == -8 && net["succoa"] == -8 && net["fe2"] == -1 && net["haem"] == 1 && net["nh4"] == 4)
    #expect(net["co2"] == 14 && net["coa"] == 8 && net["o2"] == -4 && net["pbg"] == nil)
  }
}
