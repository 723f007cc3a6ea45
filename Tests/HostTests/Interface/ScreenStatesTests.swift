import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

@MainActor struct ScreenStatesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func states() -> ScreenStates { ScreenStates(folder: folder.path.path, isEnabled: true) }

  @Test func `states up to the limit are restored at the next start`() throws {
    let large = [UInt8](repeating: 1, count: ScreenStates.largest - 3)
    let first = states()
    try first.keep(large, plugin: "tides", screen: "chart")
    try first.keep([1, 2, 3], plugin: "tides", screen: "list")
    first.write()
    #expect(states().take(plugin: "tides", screen: "chart") == large)
    #expect(states().take(plugin: "tides", screen: "list") == [1, 2, 3])
  }

  @Test func `a state beyond the plugin's limit is refused, and earlier states remain`() throws {
    let first = states()
    try first.keep([1, 2, 3], plugin: "tides", screen: "list")
    #expect {
      try first.keep([UInt8](repeating: 1, count: ScreenStates.largest), plugin: "tides", screen: "chart")
    } throws: { error in
      let report = error as? ErrorReport
      return report?.code == "host.state-too-large" && report?.message.contains("'chart'") == true
    }
    first.write()
    #expect(states().take(plugin: "tides", screen: "list") == [1, 2, 3])
    #expect(states().take(plugin: "tides", screen: "chart") == nil)
  }
}
