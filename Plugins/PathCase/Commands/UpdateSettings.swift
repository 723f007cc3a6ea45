import PluginAPI

/// The settings for fetching the database.
struct UpdateSettings: Sendable {
  static let declared: [Parameter] = [
    Parameter(
      "server", .text, "where databases come from: the address of a service, a folder or a .tar.gz file",
      defaultValue: ""),
    Parameter("certificates", .text, "PEM file with the certificates to trust; the system's if it is empty"),
    Parameter(
      "connections", .integer(minimum: 1, maximum: 64), "how many documents are fetched at once", defaultValue: 6),
    Parameter(
      "tries", .integer(minimum: 1, maximum: 20), "how often a document is asked for when the way to it fails",
      defaultValue: 3),
    Parameter(
      "repeat-delay", .number(minimum: 0, maximum: 60), "the time before a document is asked for again",
      unit: "second", defaultValue: 0.3),
    Parameter(
      "stall-deadline", .integer(minimum: 1, maximum: 3600), "how long a server may be silent", unit: "second",
      defaultValue: 15),
    Parameter(
      "deadline", .number(minimum: 0.1, maximum: 86_400), "the time for all of an update", unit: "second",
      defaultValue: 120),
  ]

  /// The source of databases; nil if none is set.
  let server: String?
  /// The access to services.
  let access: DocumentSource.Access
  let options: UpdateOptions

  init(_ context: any PluginContext) {
    let server = context.setting("server").text ?? ""
    let certificates = context.setting("certificates").text ?? ""
    self.server = server.isEmpty ? nil : server
    access = DocumentSource.Access(
      isOffline: context.isOffline, certificates: certificates.isEmpty ? nil : certificates,
      stallInSeconds: context.setting("stall-deadline").integer ?? 15)
    var options = UpdateOptions()
    options.connections = context.setting("connections").integer ?? options.connections
    options.tries = context.setting("tries").integer ?? options.tries
    options.firstDelayInSeconds = context.setting("repeat-delay").number ?? options.firstDelayInSeconds
    options.deadlineInSeconds = context.setting("deadline").number ?? options.deadlineInSeconds
    self.options = options
  }
}
