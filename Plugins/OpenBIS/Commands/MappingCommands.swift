import Glibc
import PluginAPI

/// Commands about the mapping file, which defines the entities made from objects.
enum MappingCommands {
  static let all = [show, check, use]

  static let show = OpenBISCommand(
    CommandDescription(
      "mapping show", "prints the mapping in use", output: .init(.any, typeName: OpenBISValueType.mapping)
    ).taking(
      options: [Parameter("default", .flag, "the mapping that ships"), OpenBISCommand.account]
    ).explained(
      "A server with the service 'ipad-read-service-v1' maps by itself; the mapping is for all others.",
      examples: [.init("mapping show", "the text to begin a mapping of one's own with")])
  ) { call, laboratory in
    var path = LabBrowser.defaultMapping(call.context)
    if !call.flag("default"), let browser = try? await LabBrowser(call, laboratory) {
      path = try await browser.servers.snapshot().mappings[browser.account.id] ?? path
    }
    try await call.emit(try MappingFile.value(path).typed(OpenBISValueType.mapping))
  }

  static let check = OpenBISCommand(
    CommandDescription("mapping check", "says whether a mapping file can be used", output: .init(.record(fields)))
      .taking([file]).explained(
        "The first thing that cannot be used is told with its place.",
        examples: [.init("mapping check lab.json", "a file")])
  ) { call in
    try await call.emit(value(try MappingFile.read(call.text("file"))))
  }

  static let use = OpenBISCommand(
    CommandDescription(
      "mapping use", "uses a mapping file for a server", output: .init(.record(fields)), effects: [.reads, .writes]
    ).taking(
      [
        Parameter(
          "file", .inputFile(extensions: ["json"]), "the file; 'default' for the one that ships", isRequired: true)
      ],
      options: [OpenBISCommand.account]
    ).explained(
      "The file stays where it is and is read at each sync. The next sync asks for everything once.",
      examples: [.init("mapping use lab.json", "for the server used last"), .init("mapping use default", "back again")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    guard browser.account.backEnd == .native else { throw LabError.mapsItself(server: browser.account.server.shown) }
    let isDefault = call.text("file") == "default"
    let path = isDefault ? LabBrowser.defaultMapping(call.context) : absolute(call.text("file"))
    let mapping = try MappingFile.read(path)
    try await browser.servers.setMapping(isDefault ? nil : path, of: browser.account.id)
    // The cached entities come from another mapping: all are fetched again, and those that no rule shows are removed.
    var state = try await browser.setting.state()
    state.askForAll()
    try await browser.cache.saveState(state.encoded)
    try await call.emit(value(mapping))
  }

  private static let file = Parameter("file", .inputFile(extensions: ["json"]), "the mapping file", isRequired: true)

  private static let fields: [ValueSchema.Field] = [
    .init("name", .text, "what the file calls itself"), .init("rules", .integer, "the number of rules"),
    .init("kinds", .list(.choice(NativeKind.allCases.map(\.rawValue))), "the kinds of objects that are fetched"),
  ]

  private static func value(_ mapping: Mapping) -> Value {
    [
      "name": .text(mapping.name), "rules": .integer(mapping.rules.count),
      "kinds": .list(mapping.kinds.map { .text($0.rawValue) }),
    ]
  }

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
