import PluginAPI

/// The name and version of this program.
enum HostVersion {
  /// The version, `major.minor.patch`.
  static let number = "0.1.0"

  /// The output of `workbench version` as a value.
  static var value: Value {
    [
      "version": .text(number), "contract": .integer(PluginEntry.contractRevision),
      "oldestContract": .integer(PluginEntry.oldestRevision), "compiler": .text(PluginEntry.compiler),
    ]
  }

  /// The output of `workbench version` as text.
  static var line: String {
    "workbench \(number), contract \(PluginEntry.contractRevision)"
  }
}
