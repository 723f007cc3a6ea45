import PluginAPI

/// Commands about personal access tokens at the server: token list, token revoke.
enum TokenCommands {
  static let all = [list, revoke]

  static let list = OpenBISCommand(
    CommandDescription(
      "token list", "list the personal access tokens of the user", output: .init(.table(fields)),
      effects: [.reads, .network]
    ).taking(options: [OpenBISCommand.account]).explained(
      "A token itself is never shown: its id is a part of its checksum. Servers list tokens only for those who log in by "
        + "password.",
      examples: [.init("token list", "of the server used last")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let tokens = try await browser.native().accessTokens()
    try await call.emit(.table(table(tokens)))
  }

  static let revoke = OpenBISCommand(
    CommandDescription(
      "token revoke", "end a personal access token at the server", output: .init(.record(revokedFields)),
      effects: [.reads, .writes, .network]
    ).taking(
      [Parameter("token", .text, "the token's id or name, as 'token list' gives it", isRequired: true)],
      options: [OpenBISCommand.account]
    ).explained(
      "Whoever uses it is refused from then on. It cannot be undone.",
      examples: [.init("token revoke laptop", "by its name"), .init("token revoke 3f5a0c91de", "by its id")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let service = try await browser.native()
    let tokens = try await service.accessTokens()
    let word = call.text("token")
    let exact = tokens.filter { $0.id == word }
    let found = exact.isEmpty ? tokens.filter { $0.name == word } : exact
    guard let token = found.first else { throw LabError.noToken(word, known: tokens.map(\.name)) }
    guard found.count == 1 else { throw LabError.ambiguousToken(word, ids: found.map(\.id)) }
    try await service.revoke(token)
    try await call.emit(["id": .text(token.id), "name": .text(token.name)])
  }

  private static let revokedFields: [ValueSchema.Field] = [
    .init("id", .text, "a part of its checksum"), .init("name", .text, "what it was for"),
  ]

  private static let fields =
    revokedFields + [
      .init("from", .optional(.date), "since when it is good"), .init("to", .optional(.date), "until when it is good"),
      .init("usedAt", .optional(.date), "when it was used last; null if never, or if the server does not say"),
    ]

  private static func table(_ tokens: [NativeAccessToken]) -> Table {
    func dates(_ time: (NativeAccessToken) -> Int?) -> Table.Values {
      .values(tokens.map { time($0).map { .date(Instant(seconds: Int64($0 / 1000))) } ?? .null })
    }
    return Table(columns: [
      .init("id", title: "Id", .texts(tokens.map(\.id))), .init("name", title: "Name", .texts(tokens.map(\.name))),
      .init("from", title: "From", dates(\.from)), .init("to", title: "To", dates(\.to)),
      .init("usedAt", title: "Used", dates(\.usedAt)),
    ])
  }
}
