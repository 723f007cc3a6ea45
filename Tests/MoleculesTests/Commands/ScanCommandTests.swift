import Foundation
import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of the command that searches many structures.
struct ScanCommandTests {
  /// Writes a file into the folder of a plugin's test and returns its path.
  private func write(_ lines: [String], _ name: String, _ plugin: TestPlugin) throws -> Value {
    let path = plugin.context.folders.state + "/" + name
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    return .text(path)
  }

  /// Returns a serine and a histidine, whose nitrogen is at a distance; the serine has an insertion code.
  private func pair(_ distance: Double) -> [String] {
    [
      Fixture.atom(1, "OG", "SER", 195, 0, 0, 0, altloc: "B", code: "A"),
      Fixture.atom(2, "NE2", "HIS", 57, distance, 0, 0), Fixture.atom(3, "CG", "HIS", 57, distance + 2, 0, 0),
    ]
  }

  private let query: Record = [
    "site": ["s=resn SER and name OG", "h=resn HIS and name NE2"], "distance": ["s-h=2.8±0.6"],
  ]

  private func scan(_ files: [Value], _ options: Record, _ plugin: TestPlugin) async throws -> CommandResult {
    try await plugin.run("scan", Record([.init("molecule", .list(files))] + options.fields))
  }

  @Test func `matches are listed site by site, in the order of the files`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let near = try write(pair(2.7), "near.pdb", plugin)
    let far = try write(pair(5), "far.pdb", plugin)
    let other = try write(pair(3), "other.pdb", plugin)
    let result = try await scan([near, far, other], query, plugin)
    let rows = result.values.flatMap { $0.list ?? [] }
    #expect(rows.map { $0["file"] } == [near, near, other, other])
    #expect(rows.map { $0["site"] } == ["s", "h", "s", "h"])
    #expect(rows.allSatisfy { $0["match"] == 1 && $0["model"] == 1 && $0["rmsd"].isNull })
    let serine: Record = [
      "chain": "A", "residue": "SER", "number": 195, "insertionCode": "A", "atoms": "OG", "alternate": "B",
      "distances": [],
    ]
    for field in serine.fields { #expect(rows[0][field.name] == field.value, "\(field.name)") }
    #expect(rows[1]["residue"] == "HIS" && rows[1]["atoms"] == "NE2" && rows[1]["alternate"] == "")
    #expect(rows[1]["distances"] == [2.7] && rows[3]["distances"] == [3.0])
    let text = try plugin.text(result.values[0])
    #expect(text.contains("near.pdb  s A/SER195A/OG@B  h A/HIS57/NE2 (s 2.700)"))
    // Matches of two files have the same number.
    let joined = try plugin.text(.list(rows).typed(MoleculeValueType.motifSites))
    #expect(joined.split(separator: "\n").count == 2)
  }

  @Test func `a selection lists its residues, and an example reports the deviation`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let near = try write(pair(2.7), "near.pdb", plugin)
    let other = try write(pair(3), "other.pdb", plugin)
    let selected = try await scan([near], ["select": "resn HIS"], plugin).value
    #expect(selected.list?.count == 1)
    #expect(selected.list?.first?["atoms"] == "NE2+CG" && selected.list?.first?["site"] == "")
    #expect(try plugin.text(selected).contains("near.pdb  A/HIS57/NE2+CG"))
    let example = "\(near.text ?? ""):name OG+NE2"
    let alike = try await scan([other], ["like": .text(example), "tolerance": 0.5], plugin).value.list ?? []
    #expect(alike.map { $0["site"] } == ["A/SER195A", "A/HIS57"])
    // Half the difference of the distances, on both sides of the center.
    #expect(alike.map { $0["rmsd"] } == [0.15, 0.15])
    #expect(
      try await scan([other], ["like": .text(example), "tolerance": 0.2], plugin).value
        == .list([]).typed(
          MoleculeValueType.motifSites))
  }

  @Test func `a scan without matches returns an empty list`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let far = try write(pair(5), "far.pdb", plugin)
    let value = try await scan([far], query, plugin).value
    #expect(value.list?.isEmpty == true)
    #expect(try plugin.text(value).contains("No matches"))
  }

  @Test func `unreadable files are reported one by one, and the others are searched`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let near = try write(pair(2.7), "near.pdb", plugin)
    let bad = try write(["nonsense"], "bad.pdb", plugin)
    let report = await plugin.report(
      "scan", Record([.init("molecule", .list([bad, near, "/nowhere/at/all.pdb"]))] + query.fields))
    #expect(report?.code == "molecules.unreadable-file" && report?.exitStatus == 5)
    #expect(report?.message.hasPrefix("2 of 3 files could not be searched; the first: ") == true)
    #expect(report?.details["failed"] == .list([bad, "/nowhere/at/all.pdb"]))
    #expect(report?.details["searched"] == 1)
    let alone = await plugin.report("scan", Record([.init("molecule", .list([bad]))] + query.fields))
    #expect(alone?.code == "molecules.unreadable-file" && alone?.details["failed"] == nil)
  }

  @Test func `the model can be selected, and the limit counts the matches of all files`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let models = ["MODEL        1"] + pair(5) + ["ENDMDL", "MODEL        2"] + pair(2.7) + ["ENDMDL"]
    let file = try write(models, "models.pdb", plugin)
    #expect(try await scan([file], query, plugin).value.list?.count == 0)
    let second = Record(query.fields + [.init("model", 2)])
    let rows = try await scan([file], second, plugin).value.list ?? []
    #expect(rows.map { $0["model"] } == [2, 2])
    #expect(try plugin.text(.list(rows).typed(MoleculeValueType.motifSites)).contains("models.pdb model 2  s "))
    let limited = try await scan([file, file], Record(second.fields + [.init("limit", 1)]), plugin)
    #expect(limited.value.list?.count == 2)
    #expect(limited.diagnostics.map(\.code) == ["molecules.scan-limit"])
    let third = await plugin.report(
      "scan", Record([.init("molecule", .list([file]))] + query.fields + [.init("model", 3)]))
    #expect(third?.code == "molecules.unknown-model")
  }

  @Test(
    arguments: [
      ([:], "the query is missing"),
      (["distance": ["a-b=3"]], "the query is missing"),
      (["select": "all", "like": "a.pdb:all"], "the query is ambiguous"),
      (["select": "all", "distance": ["a-b=3"]], "the query is ambiguous"),
      (["like": "a.pdb"], "the example 'a.pdb' has no ':' before its selection"),
      (["site": ["a=all", "b=all"]], "no distance connects the site 'b' to the sites before it"),
    ] as [(Record, String)])
  func `an unusable query is refused before a file is read`(options: Record, message: String) async throws {
    let plugin = try await LibraryFixture.plugin()
    let report = await plugin.report("scan", Record([.init("molecule", ["/nowhere/at/all.pdb"])] + options.fields))
    #expect(report?.code == "molecules.unusable-motif" && report?.kind == .usage)
    #expect(report?.message == message && report?.advice?.isEmpty == false)
  }
}
