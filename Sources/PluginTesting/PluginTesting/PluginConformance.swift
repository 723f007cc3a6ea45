public import PluginAPI

/// Checks that a plugin follows the rules of the contract.
///
/// ```swift
/// @Test func `the plugin conforms to the contract`() async {
///   #expect(await PluginConformance.check(TidesPlugin()) == [])
/// }
/// ```
public enum PluginConformance {
  /// Checks a plugin and returns the problems found.
  ///
  /// Checks the names, keys, defaults and examples of all contributions; creates every contributed part; opens every
  /// screen, draws it in sizes from 0×0 to 80×24 and reads its outline; runs every check. With `runsExamples` it also
  /// runs the examples of commands that only read, and compares the emitted values with their schemas.
  /// - Parameters:
  ///   - plugin: A new plugin; it is activated here, in folders of its own.
  ///   - resources: The folder of its resources; nil for an empty one.
  ///   - runsExamples: True to run the examples of commands that neither write nor use the network.
  /// - Returns: The problems; empty if there are none.
  public static func check(
    _ plugin: any Plugin, resources: String? = nil, runsExamples: Bool = false
  ) async -> [Diagnostic] {
    let contributions = plugin.contributions
    var findings = Findings()
    findings.checkNames(contributions)
    if plugin.contributions != contributions {
      findings.add("contributions", "the contributions differ between two reads")
    }
    do {
      if try Contributions(decoding: contributions.encoded()) != contributions {
        findings.add("contributions", "the contributions change when encoded and decoded")
      }
      let subject = try await TestPlugin(plugin, resources: resources)
      try await findings.checkParts(subject, contributions)
      await findings.checkScreens(subject, contributions)
      if runsExamples { await findings.runExamples(subject, contributions) }
    } catch {
      findings.add("activation", "the plugin cannot be activated: \(error)")
    }
    return findings.diagnostics
  }

  /// Finds keys with different meanings on different screens of a plugin.
  ///
  /// Actions have the same meaning if their ids or their titles are equal. Users memorize keys: a key that shows
  /// details on one screen and deletes on the next costs them data.
  ///
  /// ```swift
  /// #expect(PluginConformance.checkKeys(of: TidesPlugin(), except: ["enter": "the main thing of each screen"]) == [])
  /// ```
  /// - Parameters:
  ///   - plugin: The plugin.
  ///   - reasons: Keys that may have several meanings, each with the reason.
  /// - Returns: A diagnostic for each other key with several meanings, and for each reason that is not needed.
  public static func checkKeys(of plugin: any Plugin, except reasons: [String: String] = [:]) -> [Diagnostic] {
    checkKeys(of: plugin.contributions.screens, except: reasons)
  }

  /// Finds keys with different meanings on different screens.
  ///
  /// Accepts screens that the plugin does not contribute: a part of a screen whose controller handles its keys itself
  /// can be described as one.
  /// - Parameters:
  ///   - screens: The screens, each with the actions that its keys perform.
  ///   - reasons: Keys that may have several meanings, each with the reason.
  /// - Returns: A diagnostic for each other key with several meanings, and for each reason that is not needed.
  public static func checkKeys(
    of screens: [ScreenDescription], except reasons: [String: String] = [:]
  ) -> [Diagnostic] {
    var findings = Findings()
    findings.checkKeys(of: screens, except: reasons)
    return findings.diagnostics
  }

  /// Checks a view: it draws in sizes from 0×0 to 80×24, draws the same each time, and has a meaningful outline.
  public static func check(_ view: any View, named name: String = "view") -> [Diagnostic] {
    var findings = Findings()
    findings.check(view, named: name)
    return findings.diagnostics
  }
}

/// The problems found in a plugin.
struct Findings {
  private(set) var diagnostics: [Diagnostic] = []

  mutating func add(_ code: String, _ message: String) {
    diagnostics.append(Diagnostic(.error, code: "conformance." + code, message))
  }

  mutating func add(_ findings: [Diagnostic]) { diagnostics += findings }

  mutating func require(_ condition: Bool, _ code: String, _ message: @autoclosure () -> String) {
    if !condition { add(code, message()) }
  }

  /// Returns true if a name has only lowercase letters, digits and single dashes, and starts with a letter.
  static func isKebabCase(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return name.utf8.first.map { (0x61...0x7A).contains($0) } == true
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
      }
  }

  /// Returns the names that occur more than once.
  static func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    var twice: [String] = []
    for name in names where !seen.insert(name).inserted && !twice.contains(name) { twice.append(name) }
    return twice
  }
}
