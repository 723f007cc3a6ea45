import Glibc
import PluginAPI

/// Commands about the mapping file, which defines the entities made from objects.
enum MappingCommands {
  static let all = [show, check, use]

  private static let isDefault = Option(flag: "default", "the mapping that ships")
  private static let file = Argument(
    "file", String.self, kind: .inputFile(extensions: ["json"]), "the mapping file")
  private static let usedFile = Argument(
    "file", String.self, kind: .inputFile(extensions: ["json"]), "the file; 'default' for the one that ships")

  static let show = OpenBISCommand(
    CommandDescription(
      "mapping show", "prints the mapping in use", output: .init(.any, typeName: OpenBISValueType.mapping)
    ).taking(isDefault, OpenBISCommand.account).explained(
      "A server with the service 'ipad-read-service-v1' maps by itself; the mapping is for all others.",
      examples: [.init("mapping show", "the text to begin a mapping of one's own with")])
  ) { call, laboratory in
    var path = LabBrowser.defaultMapping(call.context)
    if !call[isDefault], let browser = try? await LabBrowser(call, laboratory) {
      path = try await browser.servers.snapshot().mappings[browser.account.id] ?? path
    }
    try await call.emit(try MappingFile.value(path).typed(OpenBISValueType.mapping))
  }

  static let check = OpenBISCommand(
    CommandDescription("mapping check", "says whether a mapping file can be used", output: .model(Mapping.self))
      .taking(file).explained(
        "The first thing that cannot be used is told with its place.",
        examples: [.init("mapping check lab.json", "a file")])
  ) { call, _ in
    try await call.emit(MappingFile.read(call[file]))
  }

  static let use = OpenBISCommand(
    CommandDescription(
      "mapping use", "uses a mapping file for a server", output: .model(Mapping.self), effects: [.reads, .writes]
    ).taking(usedFile, OpenBISCommand.account).explained(
      "The file stays where it is and is read at each sync. The next sync asks for everything once.",
      examples: [.init("mapping use lab.json", "for the server used last"), .init("mapping use default", "back again")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    guard browser.account.backEnd == .native else {
      let server = browser.account.server.shown
      throw LabError.mapsItself(
        "'\(server)' says by itself what is browsed", advice: "log in with '--native' to use a mapping instead",
        details: ["server": .text(server)]
      ).sanitized
    }
    let isDefault = call[usedFile] == "default"
    let path = isDefault ? LabBrowser.defaultMapping(call.context) : absolute(call[usedFile])
    let mapping = try MappingFile.read(path)
    try await browser.servers.setMapping(isDefault ? nil : path, of: browser.account.id)
    // The cached entities come from another mapping: all are fetched again, and those that no rule shows are removed.
    var state = try await browser.cache.syncState()
    state.requestAll()
    try await browser.cache.save(state)
    try await call.emit(mapping)
  }

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
