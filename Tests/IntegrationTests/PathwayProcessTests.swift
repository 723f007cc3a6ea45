import Foundation
import TestSupport
import Testing

/// `workbench pathcase …` by the built program, with the bundled database.
struct PathwayProcessTests {
  let home: PluginHome

  init() throws { home = try PluginHome(withPlugin: false) }

  @Test func `the first start provides the bundled pathways`() throws {
    let run = try home.runPlain("pathcase", "list", "--json")
    #expect(run.status == 0 && run.rows.count > 40)
    #expect(run.rows.contains { $0["id"] as? String == "w-glycolysis" })
  }

  @Test(arguments: [("svg", "<?xml"), ("png", "\u{89}PNG"), ("pdf", "%PDF")])
  func `pictures are written to the requested file`(_ format: String, _ beginning: String) throws {
    let file = home.folder.url("tca.\(format)")
    let run = try home.runPlain("pathcase", "draw", "w-tca", "--output", file.path, "--json")
    #expect(run.status == 0 && run.record["format"] as? String == format, "\(run.errors)")
    let bytes = try Data(contentsOf: file)
    #expect(bytes.starts(with: beginning.unicodeScalars.map { UInt8($0.value) }))
    #expect(run.record["bytes"] as? Int == bytes.count)
  }

  @Test func `CSV of fba is a table with a row per reaction`() throws {
    let model = """
      {"id": "m", "compartments": {"c": ""}, "genes": [],
       "metabolites": [{"id": "a_c", "name": "", "compartment": "c"}],
       "reactions": [
        {"id": "in", "name": "", "metabolites": {"a_c": 1}, "lower_bound": 0, "upper_bound": 7.5,
         "gene_reaction_rule": "", "objective_coefficient": 0},
        {"id": "R_12DGR120tipp", "name": "", "metabolites": {"a_c": -3}, "lower_bound": 0, "upper_bound": 9,
         "gene_reaction_rule": "", "objective_coefficient": 1}]}
      """
    let file = try home.folder.write(Array(model.utf8), "m.json")
    let run = try home.runPlain("pathcase", "fba", file.path, "--csv")
    #expect(run.status == 0 && run.output == "id,fluxes\r\nin,7.5\r\nR_12DGR120tipp,2.5\r\n", "\(run.errors)")
  }

  @Test func `a failed update leaves the database unchanged, without a version to roll back to`() throws {
    let folder = home.folder.url("empty")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let run = try home.runPlain("pathcase", "update", "--server", folder.path, "--json")
    #expect(run.status != 0 && run.errorCode?.hasPrefix("pathcase.") == true, "\(run.errors)")
    let back = try home.runPlain("pathcase", "rollback", "--json")
    let list = try home.runPlain("pathcase", "list")
    #expect(back.status == 3 && list.status == 0)
  }
}
