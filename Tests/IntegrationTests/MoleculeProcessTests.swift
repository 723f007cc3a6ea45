import TestSupport
import Testing

/// `workbench molecules …` by the built program, with the starters.
struct MoleculeProcessTests {
  @Test func `CSV of the secondary structure has integer areas and angles with two decimals`() throws {
    let home = try PluginHome(withPlugin: false)
    let run = try home.runPlain("molecules", "secondary-structure", "2", "--csv")
    let lines = run.output.split(whereSeparator: \.isNewline)
    #expect(run.status == 0 && lines.count > 30, "\(run.errors)")
    #expect(
      lines.prefix(4) == [
        "chain,number,insertionCode,name,state,accessibility,phi,psi,alternate", "A,1,,VAL,-,146,,118.43,",
        "A,2,,LYS,E,148,-132.29,139.63,", "A,3,,VAL,E,82,-134.71,140.8,",
      ])
    let others = lines.dropFirst().filter { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 9, Int(fields[5]) != nil else { return true }
      return fields[6...7].contains { angle in
        guard let point = angle.firstIndex(of: ".") else { return !angle.isEmpty && Int(angle) == nil }
        return Double(angle) == nil || angle[point...].count > 3
      }
    }
    #expect(others == [])
  }
}
