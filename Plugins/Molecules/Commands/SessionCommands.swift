import PluginAPI

/// Commands that save the shown molecules to a file, and show them again.
enum SessionCommands {
  static let all = [saving, opening]

  /// The file in the state folder that the viewer shows at its next start, once.
  static let nextStart = "next." + SessionFile.fileExtension

  static let saving = MoleculeCommand(
    CommandDescription(
      "session save", "saves which molecules are shown, and how, to a file", output: .init(.record(savedFields)),
      effects: [.reads, .writes]
    ).taking(
      [
        Parameter("file", .outputFile, "the file, named *.\(SessionFile.fileExtension)", isRequired: true),
        Parameter(
          "molecule", .document(extensions: MoleculeFileTypes.extensions),
          "molecules of the library, or files, the first the one to be turned; the one viewed last unless given",
          isRepeatable: true
        ).completedByLibrary(),
      ],
      options: [
        Parameter("mode", .choice(RenderMode.allCases.map(\.name)), "how they are drawn; as suits them unless given"),
        Parameter("scheme", .choice(ColorScheme.allCases.map(\.rawValue)), "what the colours tell"),
        MoleculeCommand.model,
      ]
    ).explained(
      """
      The viewer saves what it shows by its action 'Save session'. A session names molecules by the content of their \
      files, so that they are found again under another number; it does not hold them. A file that is no session is \
      never replaced.
      """,
      examples: [
        .init("session save work.molsession", "the molecule viewed last"),
        .init("session save pair.molsession 1crn 4hhb.cif.gz --mode spacefilling", "two molecules"),
      ]), save)

  static let opening = MoleculeCommand(
    CommandDescription(
      "session open", "makes a session what the viewer shows at its next start",
      output: .init(.record(openedFields)), effects: [.reads, .writes]
    ).taking([
      Parameter("file", .inputFile(extensions: [SessionFile.fileExtension]), "the session", isRequired: true)
    ]).explained(
      "Molecules that are not there any more are told and left out. 'workbench open FILE' shows a session at once.",
      examples: [.init("session open work.molsession", "then 'workbench run molecules'")]), open)

  private static let savedFields: [ValueSchema.Field] = [
    .init("file", .text, "the file"), .init("molecules", .list(.text), "codes or titles of its molecules"),
  ]

  private static let openedFields: [ValueSchema.Field] = [
    .init("file", .text, "the file"),
    .init(
      "molecules",
      .list(
        .record([
          .init("code", .text, "entry code"), .init("title", .text, "title"),
          .init("id", .optional(.integer), "its number in the library; null for a file"),
          .init("path", .optional(.text), "the path of a file; null for one of the library"),
          .init("isThere", .bool, "whether it is there"),
        ])), "its molecules"),
  ]

  @Sendable private static func save(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    let model = try MoleculeCommand.modelIndex(call)
    var places: [MoleculePlace] = []
    for word in call.texts("molecule") { places.append(try await library.place(word)) }
    if places.isEmpty {
      guard let id = MoleculeLibrary.number(.lastViewed, try await library.opened()) else {
        throw MoleculeError.unknown("", nearest: nil, isEmpty: true)
      }
      places = [.library(id)]
    }
    let (named, path) = (places, call.text("file"))
    let view: Value = [
      "model": .integer(model), "mode": call["mode"], "color": call["scheme"],
    ]
    let session = try await library.saveSession(named, view: view, to: path)
    try await call.emit(["file": .text(path), "molecules": .list(session.entries.map { .text($0.name) })])
  }

  @Sendable private static func open(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    let path = call.text("file")
    _ = try await library.opened()
    let next = call.context.folders.state + "/" + nextStart
    let opened = try await library.openSession(path)
    try await library.computed("opening") { _ in try SessionFile.write(opened.session, to: next) }
    for diagnostic in opened.diagnostics { call.warn(diagnostic) }
    let molecules = zip(opened.session.entries, opened.places).map { entry, place -> Value in
      var id: Int?
      var file: String?
      switch place {
      case .library(let number)?: id = number
      case .file(let path)?: file = path
      case nil: break
      }
      return [
        "code": .text(entry.code), "title": .text(entry.title), "id": .optional(id), "path": .optional(file),
        "isThere": .bool(place != nil),
      ]
    }
    try await call.emit(["file": .text(path), "molecules": .list(molecules)])
  }
}

extension SessionCommands {
  /// Returns the session to show instead of a molecule; nil if there is none.
  static func path(_ target: MoleculeTarget, _ context: any PluginContext) -> String? {
    switch target {
    case .word(let word): return SessionFile.isName(word) ? word : nil
    case .lastViewed:
      let next = context.folders.state + "/" + nextStart
      return StructureSource.exists(next) ? next : nil
    default: return nil
    }
  }

  /// Returns the name with the extension of sessions, added if missing.
  static func named(_ path: String) -> String {
    SessionFile.isName(path) || path.isEmpty ? path : path + "." + SessionFile.fileExtension
  }
}
