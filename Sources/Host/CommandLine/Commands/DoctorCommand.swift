import PluginAPI

/// `doctor`: checks the terminal, folders, settings, libraries and plugins.
@MainActor enum DoctorCommand {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    let declaration = CommandDescription(
      "doctor", "Check the terminal, folders, settings, libraries and plugins", output: output
    ).explained(
      "Exits with status 1 if it finds an error.",
      examples: [.init("doctor", "All findings"), .init("doctor --json", "As JSON")])
    return [
      HostCommand(declaration) { [unowned interpreter] call in
        try await report(await findings(interpreter), to: call)
      }
    ]
  }

  /// `plugin doctor`: looks at plugins only.
  static func plugins(_ session: HostSession) -> HostCommand {
    let declaration = CommandDescription(
      "plugin doctor", "Check that plugins can be loaded, and run their own checks", output: output
    ).taking([Parameter("id", .text, "Plugin id; all plugins if omitted")])
      .explained(
        "Exits with status 1 if it finds an error.",
        examples: [.init("doctor", "All plugins"), .init("doctor molecules", "The checks of one plugin")])
    return HostCommand(declaration) { call in
      let id = call["id"].text
      let plugins = session.plugins
      if let id { _ = try await MainActor.run { try plugins.cataloged(id) } }
      try await report(await pluginFindings(plugins, of: id), to: call)
    }
  }

  private static let output: CommandDescription.Output = .init(
    .list(
      .record([
        .init("area", .text, "Area of the check"), .init("name", .text, "Name of the item"),
        .init("status", .choice(["ok", "note", "warning", "error"]), "Status"),
        .init("message", .text, "Finding"),
        .init("advice", .optional(.text), "Advice"),
      ])), typeName: "host.findings")

  private static func report(_ findings: [Finding], to call: CommandCall) async throws {
    try await call.emit(.list(findings.map(\.value)))
    let errors = findings.count { $0.status == .error }
    if errors > 0 {
      throw ErrorReport(
        code: "host.doctor-found-errors", kind: .failure, errors == 1 ? "one error found" : "\(errors) errors found")
    }
  }

  /// Returns all findings.
  static func findings(_ interpreter: CommandInterpreter) async -> [Finding] {
    let found = hostFindings(interpreter)
    return await found + pluginFindings(interpreter.session.plugins)
  }

  private static func hostFindings(_ interpreter: CommandInterpreter) -> [Finding] {
    let session = interpreter.session
    return EnvironmentChecks.terminal(interpreter.streams, interpreter.options)
      + EnvironmentChecks.folders(session.folders) + EnvironmentChecks.settings(session.settings)
      + EnvironmentChecks.libraries()
  }

  /// Returns the findings about a plugin; nil for all, and the folders of plugins.
  private static func pluginFindings(_ plugins: PluginHost, of id: String? = nil) async -> [Finding] {
    var findings: [Finding] = []
    for plugin in plugins.catalog.plugins where plugin.state != .ready && (id == nil || plugin.id == id) {
      let report = plugin.error
      // Most refused plugins wait for the user; one that was in use and has changed is a fault.
      let waits = report.map { $0.kind == .refused && !(PluginRefusal.altered ~= $0) } ?? true
      let status: Finding.Status = waits ? .note : .error
      findings.append(
        Finding(
          "plugins", plugin.id ?? plugin.path, status, report?.message ?? plugin.state.rawValue, advice: report?.advice)
      )
    }
    for problem in id == nil ? plugins.catalog.problems : [] {
      let report = problem.refusal.report
      findings.append(Finding("plugins", "folder", .error, report.message, advice: report.advice))
    }
    if plugins.contributions.isEmpty {
      findings.append(
        Finding(
          "plugins", "", .warning, "no usable plugin was found",
          advice: "list the plugins found with 'workbench plugin list'"))
    }
    for contributions in plugins.contributions where id == nil || contributions.plugin.id == id {
      let identity = contributions.plugin
      do {
        let active = try plugins.activated(identity.id)
        findings.append(Finding("plugins", identity.id, .ok, "\(identity.name) \(identity.version)"))
        for check in contributions.checks { findings += await run(check, of: active) }
      } catch {
        let report = ErrorReport(error)
        findings.append(Finding("plugins", identity.id, .error, report.message, advice: report.advice))
      }
    }
    return findings
  }

  private static func run(_ check: CheckDescription, of active: ActivePlugin) async -> [Finding] {
    let name = active.id + "." + check.name
    do {
      let found = try await active.plugin.runCheck(check.name, active.context).filter { $0.severity != .debug }
      if found.isEmpty { return [Finding("checks", name, .ok, check.summary)] }
      return found.map { diagnostic in
        let status = Finding.Status(rawValue: diagnostic.severity.rawValue) ?? .note
        return Finding("checks", name, status, diagnostic.message, advice: diagnostic.advice)
      }
    } catch {
      let report = ErrorReport(wrapping: error, plugin: active.id, command: "check " + check.name)
      return [Finding("checks", name, .error, report.message, advice: report.advice)]
    }
  }
}

/// A finding of `doctor`.
struct Finding: Equatable, Sendable {
  /// The status of a finding.
  enum Status: String, Sendable {
    case ok, note, warning, error

    /// The style of the status.
    var style: Style {
      switch self {
      case .ok: .success
      case .note: .secondary
      case .warning: .warning
      case .error: .error
      }
    }
  }

  var area: String
  var name: String
  var status: Status
  var message: String
  var advice: String?

  init(_ area: String, _ name: String, _ status: Status, _ message: String, advice: String? = nil) {
    (self.area, self.name, self.status, self.message, self.advice) = (area, name, status, message, advice)
  }

  /// The finding as a record.
  var value: Value {
    [
      "area": .text(area), "name": .text(name), "status": .text(status.rawValue), "message": .text(message),
      "advice": .optional(advice),
    ]
  }

  /// Returns a list of findings as text, a heading for each area.
  static func text(of findings: Value) -> StyledText {
    var text = StyledText()
    var area = ""
    for finding in findings.list ?? [] {
      if finding["area"].text ?? "" != area {
        area = finding["area"].text ?? ""
        text.add(.init(area, .heading))
      }
      let status = Status(rawValue: finding["status"].text ?? "") ?? .note
      let name = finding["name"].text ?? ""
      text.add(
        .init("  "), .init(TextWidth.padded(status.rawValue, to: 8), status.style),
        .init((name.isEmpty ? "" : name + ": ") + (finding["message"].text ?? "")))
      if let advice = finding["advice"].text { text.add(.init("          " + advice, .secondary)) }
    }
    return text
  }
}
