import PluginAPI
import Testing

@testable import Host

struct PluginBisectionTests {
  private static let ids = (0..<20).map { "p\($0)" }

  /// Bisects a command line that fails once all these plugins are enabled.
  private func bisect(_ culprits: Set<String>, keeping kept: Set<String> = []) throws -> (found: [String], runs: Int) {
    var runs = 0
    let bisection = PluginBisection { enabled in
      runs += 1
      return culprits.isSubset(of: enabled)
    }
    let found = try bisection.culprits(among: Self.ids.filter { !kept.contains($0) }, with: kept)
    return (found, runs)
  }

  @Test func `one failing plugin is found in a few runs`() throws {
    for id in Self.ids {
      let (found, runs) = try bisect([id])
      #expect(found == [id] && runs <= 10)
    }
  }

  @Test func `plugins that fail only together are all found`() throws {
    for first in Self.ids {
      for second in Self.ids where first < second {
        let (found, runs) = try bisect([first, second])
        #expect(Set(found) == [first, second] && runs <= 20)
      }
    }
    #expect(Set(try bisect(["p1", "p2", "p17"]).found) == ["p1", "p2", "p17"])
  }

  @Test func `plugins that stay enabled are not reported`() throws {
    #expect(try bisect(["p3", "p11"], keeping: ["p3"]).found == ["p11"])
  }

  @Test func `only read-only commands without arguments are measured`() {
    let parts = PluginMeasurement.parts(of: StoredContributions(SamplePlugin().contributions))
    #expect(parts.filter { $0.phase == .screen }.map(\.name) == ["rocks"])
    let commands = parts.filter { $0.phase == .command }.map(\.name)
    #expect(commands.contains("list") && commands.contains("render"))
    #expect(!commands.contains("info") && !commands.contains("measure distance") && !commands.contains("reset"))
  }
}
