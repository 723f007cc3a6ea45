import Glibc
import PluginAPI

/// Commands about the mapping file, which defines the entities made from objects.
enum MappingCommands {
  static let all = [show, check, use]

  private static let isDefault = Option(flag: "default", "Show the built-in mapping")
  private static let file = Argument(
    "file", String.self, kind: .inputFile(extensions: ["json"]), "Mapping file")
  private static let usedFile = Argument(
    "file", String.self, kind: .inputFile(extensions: ["json"]), "Mapping file; 'default' for the built-in mapping")

  static let show = OpenBISCommand(
    CommandDescription(
      "mapping show", "Print the mapping in use", output: .init(.any, typeName: OpenBISValueType.mapping)
    ).taking(isDefault, LabInputs.account).explained(
      "A mapping is used for servers without the read service 'ipad-read-service-v1'.",
      examples: [.init("mapping show", "As a start for your own mapping")])
  ) { call, laboratory in
    var path = LabBrowser.defaultMapping(call.context)
    if !call[isDefault], let browser = try? await LabBrowser(call, laboratory) {
      path = try await browser.servers.snapshot().mappings[browser.account.id] ?? path
    }
    try await call.emit(try MappingFile.value(path).typed(OpenBISValueType.mapping))
  }

  static let check = OpenBISCommand(
    CommandDescription("mapping check", "Check a mapping file for errors", output: .model(Mapping.self))
      .taking(file).explained(
        "The command reports the first error and its position in the file.",
        examples: [.init("mapping check lab.json", "A file")])
  ) { call, _ in
    try await call.emit(MappingFile.read(call[file]))
  }

  static let use = OpenBISCommand(
    CommandDescription(
      "mapping use", "Use a mapping file for a server", output: .model(Mapping.self), effects: [.reads, .writes]
    ).taking(usedFile, LabInputs.account).explained(
      "The file is not copied; each sync reads it. The next sync is a full one.",
      examples: [
        .init("mapping use lab.json", "For the server used last"),
        .init("mapping use default", "Back to the built-in mapping"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    guard browser.account.backEnd == .native else {
      let server = browser.account.server.shown
      throw LabError.mapsItself(
        "'\(server)' has a read service and needs no mapping file",
        advice: "log in with '--native' to use a mapping file instead",
        details: ["server": .text(server)]
      ).sanitized
    }
    let isDefault = call[usedFile] == "default"
    let path = isDefault ? LabBrowser.defaultMapping(call.context) : absolute(call[usedFile])
    let mapping = try MappingFile.read(path)
    try await browser.servers.setMapping(isDefault ? nil : path, of: browser.account.id)
    // The cached entities come from another mapping: all are fetched again, and those that no rule shows are removed.
    try await browser.cache.startOver()
    try await call.emit(mapping)
  }

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
