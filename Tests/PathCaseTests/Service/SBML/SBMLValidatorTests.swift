import Foundation
import Testing

@testable import PathCase

@Suite struct SBMLValidatorTests {
  @Test(
    .enabled(if: SBMLTruth.folder != nil, "the shared data are absent"),
    arguments: ["e_coli_core.xml", "iJO1366.xml.gz", "mini_fbc2.xml", "textbook.xml.gz"])
  func `valid models violate no rule`(_ name: String) throws {
    let problems = try SBMLValidator.problems(try #require(SBMLTruth.bytes("sbml/" + name)))
    #expect(problems.isEmpty, "\(problems.prefix(3).map(\.description))")
  }

  @Test(
    .enabled(if: SBMLTruth.folder != nil, "the shared data are absent"),
    arguments: ["invalid0.xml", "invalid1.xml", "invalid2.xml"])
  func `invalid models violate the known rules`(_ name: String) throws {
    let known = try #require(SBMLTruth.truth(name)?["read_errors"] as? [Int])
    let found = Set(try SBMLValidator.problems(try #require(SBMLTruth.bytes("sbml/" + name))).compactMap(\.rule))
    #expect(found.isSuperset(of: known), "\(known) \(found.sorted())")
  }

  @Test func `empty lists and species without required attributes are violations with positions`() throws {
    func problems(_ version: Int, _ species: String) throws -> [String] {
      let text = """
        <sbml xmlns="http://www.sbml.org/sbml/level3/version\(version)/core" level="3" version="\(version)"><model>
        <listOfParameters><notes/></listOfParameters>
        <listOfCompartments><compartment id="c" constant="true"/></listOfCompartments>
        <listOfSpecies><species id="a" \(species)/></listOfSpecies></model></sbml>
        """
      return try SBMLValidator.problems(Array(text.utf8)).map { "\($0.rule ?? 0) \($0.line)" }
    }
    let full = #"compartment="c" hasOnlySubstanceUnits="true" boundaryCondition="true" constant="true""#
    #expect(try problems(2, full) == [])
    #expect(try problems(1, full) == ["20203 2"])
    #expect(try problems(2, full + " charge=\"1\"") == ["20623 4"])
    let without = try problems(2, #"compartment="c" hasOnlySubstanceUnits="true" constant="true""#)
    #expect(without == ["20623 4"])
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `few rules are reported that other validators consider satisfied`() throws {
    let truth = try #require(SBMLTruth.truth("libsbml-validator-cases.tar.gz"))
    var wrong: [String] = []
    for (path, bytes) in SBMLTruth.archive("sbml/libsbml-validator-cases.tar.gz") where path.hasSuffix(".xml") {
      guard let known = (truth[path] as? [String: Any])?["all_errors"] as? [Int],
        let found = try? SBMLValidator.problems(bytes)
      else { continue }
      // Other validators report attribute faults under several numbers, or stop at the first.
      let more = Set(found.compactMap(\.rule)).subtracting(known).filter { $0 > 10000 }
      if !more.isEmpty { wrong.append("\(path.split(separator: "/").last ?? "") \(more.sorted())") }
    }
    #expect(wrong.count <= 16, "\(wrong.sorted())")
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `files with known violations are judged as by other validators`() throws {
    let files = SBMLTruth.archive("sbml/libsbml-validator-cases.tar.gz").filter { $0.key.hasSuffix(".xml") }
    #expect(files.count == 845)
    var wrong: [String] = []
    for (path, bytes) in files {
      let name = String(path.split(separator: "/").last ?? "")
      let parts = name.split(separator: "-")
      let rule = try #require(Int(parts[0]))
      // A file that is not XML at all violates some rule below 10000.
      let broken = (try? SBMLValidator.problems(bytes))?.map(\.rule) ?? [0]
      let isBroken = rule < 10000 && broken == [0] || broken.contains(rule)
      if isBroken != (parts[1] == "fail") { wrong.append(name) }
    }
    let share = Double(files.count - wrong.count) / Double(files.count)
    #expect(share >= 0.95, "\(wrong.count): \(wrong.sorted().joined(separator: " "))")
  }
}
