import PluginAPI

/// What this program is.
enum HostVersion {
  /// The version, `major.minor.patch`.
  static let number = "0.1.0"

  /// What `workbench version` gives.
  static var value: Value {
    [
      "version": .text(number), "contract": .integer(PluginEntry.contractRevision),
      "oldestContract": .integer(PluginEntry.oldestRevision), "compiler": .text(PluginEntry.compiler),
    ]
  }

  /// What `workbench version` prints.
  static var line: String {
    "workbench \(number), contract \(PluginEntry.contractRevision)"
  }
}
