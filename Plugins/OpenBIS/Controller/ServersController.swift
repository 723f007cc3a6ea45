import PluginAPI
import PluginText

/// The screen that lists the known servers and users, switches between them, and logs in and out.
///
/// The login command asks for the password. If a certificate is not signed by a known authority, the command shows its
/// key and stores it only if the user agrees. A login fails if the server shows a key other than before.
@MainActor final class ServersController: Controller {
  /// The actions of the screen.
  enum Action: String, CaseIterable { case use, login, again, logout }

  nonisolated static let description = ScreenDescription(
    "servers", title: "Servers", summary: "Servers and users: switch, log in and log out",
    actions: [
      ScreenAction(Action.use, "Use this account"),
      ScreenAction(Action.login, "Log in to another server", keys: ["a"]),
      ScreenAction(Action.again, "Log in again as this user", keys: ["l"]),
      ScreenAction(Action.logout, "Log out", keys: ["x", "delete"]),
    ])

  private static let listing: EffectID = "servers"
  private static let switching: EffectID = "switch"
  private static let loggingIn: EffectID = "login"
  private static let leaving: EffectID = "logout"

  private var list = ListState()
  private var accounts: [ModelRecord<ListedAccount>] = []
  private var message = "reading …"
  private var size = Size(width: 0, height: 0)
  /// A Boolean value indicating whether another account is current than when the screen was opened, or it was logged
  /// in.
  private var hasChanged = false
  private var progress: Progress?
  /// The arguments of the login that runs.
  private var login = Record()

  var title: String { "Servers" }
  var wantsText: Bool { list.isFiltering }
  var view: any View { MessageListView(ListView("Servers", list, action: Action.use.rawValue, emptyText: message)) }

  var status: [StyledText.Run] {
    guard let progress else { return [.init("enter to use · a to log in · x to log out", .secondary)] }
    return [.init(SanitizedText.line(progress.label, limit: 60), .accent)]
  }

  func start() -> [Effect] { reload() }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    if case .key(let key) = event, !list.isFiltering, hasChanged, [Key(.escape), Key(.character("q"))].contains(key) {
      return [ScreenResult.changedAccount.pop]
    }
    switch list.handle(event, in: Rect(size)) {
    case .chosen(let id), .disclosed(let id): return use(id)
    case .changed: return []
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = Action(rawValue: invocation.action) else { return [] }
    let id = invocation.arguments[OpenBISArgument.id] ?? list.selectedID
    switch action {
    case .use: return id.map(use) ?? []
    case .login: return askServer()
    case .again: return id.map(logInAnew) ?? []
    case .logout: return id.map(askLogout) ?? []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(Self.listing, let value): take(value)
    case .failed(Self.listing, let report): self.message = report.description
    case .finished(Self.switching), .finished(Self.loggingIn): return [ScreenResult.changedAccount.pop]
    case .progress(Self.loggingIn, let progress): self.progress = progress
    case .failed(Self.loggingIn, let report): return loginFailed(report)
    case .finished(Self.leaving):
      hasChanged = true
      return reload()
    case .failed(Self.switching, let report), .failed(Self.leaving, let report):
      return [.status(Diagnostic(report, .error))]
    default: break
    }
    return []
  }

  // MARK: Accounts

  private func reload() -> [Effect] { [.run(Self.listing, command: "servers", arguments: Record())] }

  /// Shows the accounts of a table; any other value is ignored.
  private func take(_ value: Value) {
    guard value.table != nil else { return }
    accounts = ModelRecord.list(value)
    message = "you are not logged in to any server: press a to log in"
    list.rows = accounts.map { account in
      let how = [account[\.account.backEnd]?.rawValue ?? "", account[\.account.usesAccessToken] ? "token" : ""]
      return ListRow(
        id: account[\.account.id], title: SanitizedText.line(account[\.account.server.base]),
        detail: ([SanitizedText.line(account[\.account.user])] + how).filter { !$0.isEmpty }.joined(separator: " · "),
        badge: account[\.isCurrent] ? "in use" : "")
    }
    if let current = accounts.first(where: { $0[\.isCurrent] }) { list.select(current[\.account.id]) }
  }

  private func use(_ id: String) -> [Effect] {
    [.run(Self.switching, command: "servers", arguments: ["use": .text(id)])]
  }

  // MARK: Login

  private func askServer() -> [Effect] {
    [
      ask(PromptRequest("Address of the server")) { controller, server in
        server.isEmpty ? [] : controller.askUser(at: server)
      }
    ]
  }

  private func askUser(at server: String) -> [Effect] {
    [
      ask(PromptRequest("User at \(SanitizedText.line(server, limit: 80))")) { controller, user in
        controller.logIn(["url": .text(server), "user": .text(user)])
      }
    ]
  }

  private func logInAnew(_ id: String) -> [Effect] {
    guard let account = accounts.first(where: { $0[\.account.id] == id }) else { return [] }
    var login: Record = ["url": .text(account[\.account.server.base]), "user": .text(account[\.account.user])]
    if account[\.account.backEnd] == .native { login["native"] = true }
    return logIn(login)
  }

  /// Runs the login command, which asks for the password itself, so that the password passes through nothing that is
  /// stored.
  private func logIn(_ arguments: Record) -> [Effect] {
    login = arguments
    progress = Progress("logging in")
    return [.run(Self.loggingIn, command: "login", arguments: login)]
  }

  private func loginFailed(_ report: ErrorReport) -> [Effect] {
    progress = nil
    switch report.code {
    case "openbis.changed-key":
      let text =
        report.description + """


          Nothing was sent. A server's key changes only when its administrator replaces it; otherwise somebody may be \
          intercepting the connection. Ask the administrator over another channel which key is correct. You can still \
          browse the cached data.
          """
      return [TextController.screen("The server's key changed", text)]
    case "openbis.login-failed" where login["user"]?.text?.isEmpty == false:
      // The password was wrong: the command asks for it again; server and user are known.
      return [.status(Diagnostic(report, .error))] + logIn(login)
    default: return [.status(Diagnostic(report, .error))]
    }
  }

  private func askLogout(_ id: String) -> [Effect] {
    let choices: [ChoiceRequest.Choice] = [
      .init(id: "logout", title: "Log out", detail: "The cache is kept for browsing offline"),
      .init(id: "forget", title: "Delete the account", detail: "The cache is deleted too"),
    ]
    let title = "Log out of \(SanitizedText.line(id, limit: 60))?"
    return [
      choose(ChoiceRequest(title, choices: choices, isDestructive: true)) { _, choice in
        var arguments: Record = ["account": .text(id)]
        if choice == "forget" { arguments["forget"] = true }
        return [.run(Self.leaving, command: "logout", arguments: arguments)]
      }
    ]
  }
}
