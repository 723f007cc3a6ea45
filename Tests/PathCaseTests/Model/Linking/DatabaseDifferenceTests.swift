import Testing

@testable import PathCase

struct DatabaseDifferenceTests {
  @Test func `added, changed and removed items are listed by type`() throws {
    let earlier = try DatabaseLinker.link(MawSamples.small)
    var records = MawSamples.small
    records.tissues.append(Tissue(id: "k", name: "Kidney"))
    records.tissues.append(Tissue(id: "h", name: "Heart"))
    records.processes[0].participants.removeLast()
    records.activations = []
    records.layouts = []
    let later = try DatabaseLinker.link(records)
    #expect(
      later.differences(since: earlier) == [
        TypeDifference(type: .tissues, added: ["h", "k"]), TypeDifference(type: .processes, changed: ["r"]),
        TypeDifference(type: .smdapathways, removed: ["w"]), TypeDifference(type: .layout, removed: ["v"]),
      ])
    #expect(later.differences(since: later).isEmpty)
  }
}
