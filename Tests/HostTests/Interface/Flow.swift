import Foundation
import PluginAPI

@testable import Host

/// A screen under test, which is fed keys.
@MainActor final class Flow {
  let plugin = TidesPlugin()
  let session: HostSession
  let display: HeadlessDisplay
  let navigator: Navigator
  let home: String

  /// Starts the plugin's first screen, or the home screen.
  init(
    _ width: Int = 60, _ height: Int = 14, atHome: Bool = false, keys: [String: [Key]] = [:],
    unusable: [UnusablePlugin] = [], home: String? = nil, documents: [String] = [],
    overlayDelayInSeconds: Double = 0, offersTour: Bool = false, sequences: [String: [KeySequence]] = [:]
  ) throws {
    self.home = home ?? NSTemporaryDirectory() + "workbench-flow-" + UUID().uuidString
    var options = GlobalOptions()
    options.home = self.home
    session = try HostSession(options: options, environment: [:], searchPath: PluginSearchPath(folders: []))
    try session.plugins.adopt(plugin)
    display = HeadlessDisplay(size: Size(width: width, height: height))
    var setup = Navigator.Setup()
    (setup.keys, setup.unusable, setup.overlayDelayInSeconds) = (keys, unusable, overlayDelayInSeconds)
    (setup.offersTour, setup.sequences) = (offersTour, sequences)
    setup.noteDurationInSeconds = 3600  // no test waits for its end, however busy the machine is
    navigator = Navigator(session: session, display: display, setup: setup)
    navigator.start(ScreenLaunch(plugin: atHome ? nil : "tides", documents: documents))
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  /// Feeds the words of `--keys`.
  func feed(_ keys: String) async throws {
    for step in try HeadlessStep.steps(keys) { await HeadlessRun.feed(step, to: navigator, display, session.loop) }
  }

  /// The text on the screen now.
  var screen: String {
    navigator.finishFrame()
    return display.frame?.plainText ?? ""
  }

  /// The lines on the screen now.
  var lines: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  /// The last line, where the status is.
  var status: String { lines.last ?? "" }
}
