import Foundation
import PluginAPI
import Testing

@testable import PathCase

/// All known figures of the real models, one by one: a figure that is not compared is reported.
@Suite(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
struct TruthTests {
  /// The models that are present.
  private static let models = MapTruth.files("sbml", ending: [".xml", ".xml.gz"]).map { String($0.dropFirst(5)) }

  /// Figures that do not concern the model: times and failures of other programs, and sizes of files.
  private static let ofOthers: Set<String> = [
    "bytes_unpacked", "cobra_load_s", "fva_s", "libsbml_read_s", "cobra_error", "crash", "fba_direct_highs.cols",
    "fba_direct_highs.rows", "fba_direct_highs.nonzeros", "fba_direct_highs.error", "fba.highs_status",
    "fba_direct_highs.status", "cobra.objective",
  ]

  /// Returns whether numbers agree within the tolerance of two solvers.
  private static func agree(_ one: Double?, _ other: Any) -> Bool {
    guard let one, let other = other as? Double else { return false }
    return abs(one - other) <= 1e-6 * max(1, abs(other))
  }

  @Test(arguments: models) func `each known figure of a model matches`(_ name: String) throws {
    let truth = try #require(SBMLTruth.truth(name))
    let bytes = try #require(SBMLTruth.bytes("sbml/" + name))
    var known: [String: Any] = [:]
    for (key, value) in truth {
      guard let inner = value as? [String: Any], key == "fba" || key == "cobra" || key == "fba_direct_highs" else {
        known[key] = value
        continue
      }
      for (part, value) in inner { known["\(key).\(part)"] = value }
    }
    if truth["cobra_error"] != nil {
      try refuse(name, bytes, known)
      return
    }
    var figures = ModelFigures(try SBMLReader.model(bytes))
    var wrong: [String] = []
    for (key, value) in known.sorted(by: { $0.key < $1.key }) where !Self.ofOthers.contains(key) {
      if let fault = try figures.fault(key, value, of: name) { wrong.append(fault) }
    }
    #expect(wrong.isEmpty, "\(name): \(wrong)")
  }

  /// Checks a model that other programs cannot use: rules must be violated here too, and the model rejected.
  ///
  /// The rules that other programs report first concern attributes that are not read here (20203, 20614, 20623).
  private func refuse(_ name: String, _ bytes: [UInt8], _ known: [String: Any]) throws {
    let rules = try SBMLValidator.problems(bytes).compactMap(\.rule)
    #expect(!rules.isEmpty && (known["read_errors"] as? [Int])?.isEmpty == false, "\(name)")
    #expect(throws: SBMLError.self, "\(name)") { try SBMLReader.model(bytes) }
  }

  @Test func `models with layouts have the known numbers of species and reactions`() throws {
    let truth = try #require(SBMLTruth.truth("layout-pass.tar.gz"))
    let files = SBMLTruth.archive("sbml/layout-pass.tar.gz").filter { $0.key.hasSuffix(".xml") }
    #expect(files.count == truth.count)
    for (path, bytes) in files {
      let name = String(path.split(separator: "/").last ?? "")
      let known = try #require(truth[name] as? [String: Any])
      let model = try SBMLReader.model(bytes).model
      #expect(model.species.count == known["species"] as? Int && model.reactions.count == known["reactions"] as? Int)
      #expect((known["read_errors"] as? [Int])?.isEmpty == true)
    }
  }

  @Test func `each flux stated by a case of the test suite is optimal`() throws {
    let files = SBMLTruth.archive("sbml/sbml-test-suite-fbc.tar.gz")
    var compared = 0
    for (name, bytes) in files where name.hasSuffix(".xml") {
      let results = try #require(files[String(name.prefix(while: { $0 != "-" })) + "-results.csv"])
      let lines = String(decoding: results, as: UTF8.self).split(whereSeparator: \.isNewline)
      let model = try SBMLReader.model(bytes).model
      let ranges = try FluxAnalysis.ranges(FluxProblem(model))
      for (column, text) in zip(lines[0].split(separator: ","), lines[1].split(separator: ",")) where column != "OBJF" {
        let value = try #require(Double(text))
        compared += 1
        let id = Identifier(String(column))
        // Some give the value of an objective under its id.
        guard let index = model.reactions.firstIndex(where: { $0.id == id }) else {
          let solution = try FluxAnalysis.solve(FluxProblem(model))
          #expect(abs((solution.objective ?? .nan) - value) <= 1e-3, "\(name) \(column)")
          continue
        }
        let range = try #require(ranges.ranges[index], "\(name) \(column)")
        #expect(range.least - 1e-3 <= value && value <= range.largest + 1e-3, "\(name) \(column)")
      }
    }
    #expect(compared == 82)
  }

  @Test func `flux ranges match another program's expected results`() throws {
    let model = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/textbook.xml.gz"))).model
    let problem = FluxProblem(model)
    try compare(FluxAnalysis.ranges(problem).ranges, of: model, with: "sbml/textbook_fva.json")
    // There the sum of all fluxes may be a tenth above the minimum.
    let least = try #require(try FluxAnalysis.leastTotal(problem).totalFlux)
    let split = try LimitedTotal(problem, limit: 1.1 * least)
    try compare(split.ranges(), of: model, with: "sbml/textbook_pfba_fva.json")
  }

  private func compare(_ ranges: [FluxRange?], of model: ReactionModel, with file: String) throws {
    let data = Data(try #require(SBMLTruth.bytes(file)))
    let known = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Double]])
    var wrong: [String] = []
    #expect(ranges.count == model.reactions.count)
    for (reaction, range) in zip(model.reactions, ranges) {
      let name = String(reaction.id.text.dropFirst(2))
      let least = try #require(known["minimum"]?[name])
      let largest = try #require(known["maximum"]?[name])
      // They are stored with five digits.
      let range = try #require(range)
      if abs(range.least - least) > 2e-5 || abs(range.largest - largest) > 2e-5 {
        wrong.append("\(name): \(range.least)...\(range.largest), known \(least)...\(largest)")
      }
    }
    #expect(wrong.isEmpty, "\(file): \(wrong)")
    #expect(known["minimum"]?.count == model.reactions.count)
  }

  @Test func `each file of the folder is compared with its known figures`() throws {
    let folder = try #require(SBMLTruth.folder)
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let files = all.filter { path in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path, isDirectory: &isFolder)
      return !isFolder.boolValue
    }
    let left = files.filter { file in !TruthFiles.all.contains { $0.takes(file) } }
    #expect(left.isEmpty, "nobody compares \(left.sorted())")
    let unused = TruthFiles.all.filter { rule in !files.contains { rule.takes($0) } }
    #expect(unused.isEmpty, "these are missing: \(unused.map(\.pattern))")
  }
}

/// The tests that cover each real file.
enum TruthFiles {
  /// A pattern of files by prefix and suffix of their paths.
  struct Rule {
    var pattern: String
    var test: String

    func takes(_ path: String) -> Bool {
      let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
      return parts.count == 1
        ? pattern == path
        : path.hasPrefix(parts[0]) && path.hasSuffix(parts[1]) && path.utf8.count >= pattern.utf8.count
    }
  }

  static let all = [
    Rule(pattern: "INDEX.md", test: "it is about the others"),
    Rule(pattern: "ground_truth.json", test: "it is what the others are compared with"),
    Rule(pattern: "bad/*", test: "BadInputTests"),
    Rule(pattern: "biopax/*", test: "BioPAXReaderTests"),
    Rule(pattern: "escher/*.Core_metabolism.json", test: "EscherReaderTests, EscherWriterTests"),
    Rule(pattern: "escher/*.Glycolysis_TCA_PPP.json", test: "EscherReaderTests"),
    Rule(pattern: "escher/*.Central_metabolism.json", test: "EscherReaderTests"),
    Rule(pattern: "escher/*.Central_carbon_metabolism.json", test: "EscherReaderTests"),
    Rule(pattern: "escher/flux_*", test: "EscherReaderTests"),
    Rule(pattern: "escher/metabolite_*", test: "EscherReaderTests"),
    Rule(pattern: "gpml/*", test: "GPMLReaderTests"),
    Rule(pattern: "maw/*", test: "SnapshotFilesTests"),
    Rule(pattern: "sbgn/*", test: "SBGNReaderTests"),
    Rule(pattern: "sbml/*.xml", test: "TruthTests"),
    Rule(pattern: "sbml/*.xml.gz", test: "TruthTests"),
    Rule(pattern: "sbml/textbook_*.json", test: "TruthTests"),
    Rule(pattern: "sbml/JSON_with_inf_bounds.json", test: "COBRATests"),
    Rule(pattern: "sbml/sbml-test-suite-fbc.tar.gz", test: "FluxAnalysisTests, TruthTests"),
    Rule(pattern: "sbml/libsbml-validator-cases.tar.gz", test: "SBMLValidatorTests"),
    Rule(pattern: "sbml/layout-pass.tar.gz", test: "TruthTests"),
    Rule(pattern: "smda/*", test: "ScenarioTruthTests, RealizableScenariosTests, ScenarioConflictTests"),
  ]
}
