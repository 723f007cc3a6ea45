import PluginAPI

/// The facts known about a library file without loading it, stored in the registry.
struct PluginDossier: Sendable, Hashable {
  /// The result of examining the file.
  enum Verdict: Sendable, Hashable {
    /// A library without a stamp, which is none of our business.
    case notAPlugin
    /// Its file is in order; it was not opened yet.
    case unprobed
    /// It cannot be used, and why.
    case refused(ErrorReport)
    /// It can be used, with these contributions.
    case usable(RegistryBlock)
  }

  var path: String
  var identity: FileIdentity
  /// SHA-256 of the file in hexadecimal digits; empty where it could not be computed.
  var hash: String
  /// The linker's identifier of the content in hexadecimal digits; empty where there is none.
  var buildID: String
  var stamp: PluginStamp?
  /// The name people read; nil until it was probed.
  var name: String?
  /// The libraries it needs.
  var needs: LibraryNeeds
  /// The Swift modules it carries.
  var modules: [String]
  var verdict: Verdict
}
