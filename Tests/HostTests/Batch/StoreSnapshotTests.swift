import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct StoreSnapshotTests {
  @Test func `a plan includes backups of stores and detects changed or missing ones`() throws {
    let run = try BatchFolder(itemCount: 1)
    let source = try TemporaryFolder()
    try HostFile.write(Array("abc".utf8), to: source.url("sample/rocks").path, makesFolder: true)
    var plan = run.plan
    plan.stores = try StoreSnapshot.add(from: source.path.path, to: run.folder)
    // The example of FIPS 180-4.
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(plan.stores == [StoreSnapshot(plugin: "sample", store: "rocks", sha256: digest)])
    #expect(RunPlan(plan.value) == plan)
    let store = try #require(plan.stores.first)
    try store.check(in: run.folder)
    let path = run.folder.stores + "/sample/rocks"
    for damage in [{ try HostFile.write(Array("abd".utf8), to: path) }, { try HostFile.remove(path) }] {
      try damage()
      let error = #expect(throws: ErrorReport.self) { try store.check(in: run.folder) }
      #expect(error?.code == "batch.broken-run")
    }
  }
}
