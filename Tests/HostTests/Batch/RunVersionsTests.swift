import PluginAPI
import TestSupport
import Testing

@testable import Host

/// The versions and settings that a run was planned with, against those of a worker.
struct RunVersionsTests {
  private static let sample = RunPlan.PluginVersion(id: "sample", version: "1.0", sha256: "aa")
  private static let other = RunPlan.PluginVersion(id: "other", version: "2.0", sha256: "bb")

  private static let versions = RunVersions(
    program: "1.2", plugin: sample, plugins: [other, sample], settings: ["sample.limit": 5, "sample.mode": "fast"])

  /// Returns the plan of a run with versions.
  private static func plan(_ versions: RunVersions) -> RunPlan {
    RunPlan(
      id: "0", command: ["sample", "echo", "{}"], folder: "/", itemCount: 1, shardCount: 1, listDigest: "", fields: [],
      limits: RunPlan.Limits(itemTimeoutInSeconds: 600), version: versions.program, plugin: versions.plugin,
      plugins: versions.plugins, settings: versions.settings)
  }

  /// Returns the message of the refusal of versions that differ from the plan's; nil if they are accepted.
  private static func refusal(
    _ change: (inout RunVersions) -> Void, of plan: RunPlan = RunVersionsTests.plan(RunVersionsTests.versions)
  ) throws -> String? {
    var present = versions
    change(&present)
    do throws(ErrorReport) {
      try present.check(against: plan)
      return nil
    } catch {
      #expect(error.code == "batch.other-version" && error.advice?.contains("--allow-other-version") == true)
      return error.message
    }
  }

  @Test func `a plan keeps the versions and settings`() {
    let plan = Self.plan(Self.versions)
    #expect(RunPlan(plan.value) == plan)
    #expect(plan.value["settings"]["sample.limit"] == 5)
    #expect(plan.value["plugins"].list?.count == 2)
  }

  @Test func `equal versions are accepted, and so is a plugin that was added`() throws {
    #expect(try Self.refusal { _ in } == nil)
    let added = RunPlan.PluginVersion(id: "third", version: "1", sha256: nil)
    #expect(try Self.refusal { $0.plugins.append(added) } == nil)
  }

  @Test func `another library of the same version is named`() throws {
    #expect(
      try Self.refusal { versions in
        versions.plugin?.sha256 = "ab"
        versions.plugins[1].sha256 = "ab"
      } == "the library of sample 1.0 is not the one that the run was planned with")
    #expect(
      try Self.refusal { $0.plugins[0].sha256 = "cc" }
        == "the library of other 2.0 is not the one that the run was planned with")
  }

  @Test func `other versions and missing plugins are named`() throws {
    #expect(
      try Self.refusal { $0.program = "1.3" }
        == "the run was planned with workbench 1.2, sample 1.0, this is workbench 1.3, sample 1.0")
    #expect(
      try Self.refusal { $0.plugins[0].version = "2.1" } == "the run was planned with other 2.0, this is 2.1")
    #expect(
      try Self.refusal { $0.plugins.removeFirst() }
        == "the run was planned with other 2.0, which cannot be used here")
  }

  @Test func `a changed setting is named with both values`() throws {
    #expect(
      try Self.refusal { $0.settings["sample.limit"] = 6 }
        == "the setting 'sample.limit' was '5' when the run was planned, and is '6' now")
    #expect(
      try Self.refusal { $0.settings = ["sample.limit": 5] }
        == "the setting 'sample.mode' was 'fast' when the run was planned, and is the default now")
    #expect(
      try Self.refusal { $0.settings["sample.new"] = true }
        == "the setting 'sample.new' was the default when the run was planned, and is 'yes' now")
  }

  @Test func `a plan of an earlier version has neither libraries nor settings to compare`() throws {
    var plan = Self.plan(Self.versions)
    (plan.plugins, plan.settings) = ([], nil)
    #expect(RunPlan(plan.value) == plan)
    #expect(try Self.refusal({ $0.settings["sample.limit"] = 6 }, of: plan) == nil)
    #expect(try Self.refusal({ $0.plugin?.sha256 = "ab" }, of: plan)?.hasPrefix("the library of sample") == true)
  }
}
