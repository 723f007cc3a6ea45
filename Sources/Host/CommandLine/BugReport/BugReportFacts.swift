import Glibc
import PluginAPI

/// Collects the sections of a bug report.
///
/// Every fact is either of a kind that holds no secret, such as a number or a word of a list, or passes
/// ``DeclaredWords``.
@MainActor struct BugReportFacts {
  private let interpreter: CommandInterpreter
  private let book: SettingsBook
  private let words: DeclaredWords

  init(_ interpreter: CommandInterpreter) {
    self.interpreter = interpreter
    book = SettingsBook(interpreter)
    words = Self.words(interpreter, book)
  }

  private var environment: [String: String] { interpreter.streams.environment }
  private var plugins: PluginHost { interpreter.session.plugins }

  /// Program, system, terminal, settings and plugins.
  var general: [BugReport.Section] { [program, system, terminal, settings, pluginList] }

  // MARK: Program and system

  private var program: BugReport.Section {
    BugReport.Section(
      title: "Program",
      lines: [
        HostVersion.line + ", oldest contract \(PluginEntry.oldestRevision)", "compiler: " + PluginEntry.compiler,
      ] + (interpreter.options.isSafeMode ? ["safe mode"] : []))
  }

  private var system: BugReport.Section {
    var name = utsname()
    uname(&name)
    let library = Self.configuration(Int32(_CS_GNU_LIBC_VERSION))
    let memory = sysconf(Int32(_SC_PHYS_PAGES)) / 1024 * sysconf(Int32(_SC_PAGESIZE)) / 1024
    return BugReport.Section(
      title: "System",
      lines: [
        "distribution: " + (Self.distribution() ?? "unknown"),
        "kernel: \(Self.text(name.sysname)) \(Self.text(name.release)) \(Self.text(name.machine))",
        "C library: " + library, "processors: \(sysconf(Int32(_SC_NPROCESSORS_ONLN)))", "memory: \(memory) MB",
      ])
  }

  /// Returns the name and version of the distribution; nil if the system does not state it.
  ///
  /// - Source: os-release(5).
  private static func distribution() -> String? {
    guard let bytes = try? HostFile.read("/etc/os-release", limit: 1 << 16) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    return line.map { String($0.dropFirst(12).filter { $0 != "\"" }.prefix(80)) }
  }

  /// Returns a text from confstr(3).
  private static func configuration(_ name: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = buffer.withUnsafeMutableBytes { bytes in
      confstr(name, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count == 0 ? "unknown" : String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  // MARK: Terminal

  /// The variables about terminal and language.
  private static let terminalVariables = [
    "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "VTE_VERSION", "KONSOLE_VERSION", "COLUMNS", "LINES",
    "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE",
  ]
  /// The variables that matter although their values name the user or the machine.
  private static let hiddenVariables = ["TMUX", "STY", "SSH_CONNECTION", "WAYLAND_DISPLAY", "DISPLAY"]

  private var terminal: BugReport.Section {
    let streams = interpreter.streams
    var lines = [
      "input: " + (streams.inputIsTerminal ? "terminal" : "not a terminal"),
      "output: " + (streams.output.isTerminal ? "terminal of \(streams.width) columns" : "not a terminal"),
      "colors: \(streams.colorDepth(interpreter.options.color, on: streams.output))",
    ]
    lines += Self.terminalVariables.compactMap { name in
      environment[name].map { "\(name)=" + (Self.isHarmless($0) ? $0 : DeclaredWords.ellipsis) }
    }
    lines += Self.hiddenVariables.filter { environment[$0] != nil }.map { "\($0) is set" }
    let own = environment.keys.filter { name in
      name.hasPrefix("WORKBENCH_") && name.utf8.count <= 64
        && name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
    return BugReport.Section(title: "Terminal and variables", lines: lines + own.sorted().map { "\($0) is set" })
  }

  /// Returns true for a short word without the signs of addresses and passwords.
  private static func isHarmless(_ text: String) -> Bool {
    text.utf8.count <= 32
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_.+".utf8.contains(byte)
      }
  }

  // MARK: Settings and plugins

  private var settings: BugReport.Section {
    var lines = book.changes.map { change in
      "\(change.name) = \(Self.shown(change)) (\(change.source.rawValue))"
    }
    let unknown = book.undeclared.count
    if unknown > 0 { lines.append("undeclared settings: \(unknown)") }
    if let problem = book.settings.problem?.report { lines.append("the file is not used: \(problem.code)") }
    return BugReport.Section(title: "Settings that differ from their defaults", lines: lines)
  }

  /// Returns the value of a setting if its kind leaves no room for a secret.
  private static func shown(_ change: SettingsBook.Change) -> String {
    isHidden(change.parameter) ? DeclaredWords.ellipsis : change.value.shortText
  }

  private static func isHidden(_ parameter: Parameter) -> Bool {
    if parameter.isPersonal { return true }
    switch parameter.kind {
    case .flag, .integer, .number, .choice, .numbers: return false
    case .text, .inputFile, .outputFile, .folder, .document, .url, .date: return true
    @unknown default: return true
    }
  }

  private var pluginList: BugReport.Section {
    let known = plugins.catalog.plugins.map { plugin in
      let version = plugin.id.flatMap { plugins.contributions(of: $0)?.plugin.version }
      let parts = [plugin.id ?? "a file without an id", version, plugin.state.rawValue, plugin.source.rawValue]
      return parts.compactMap { $0 }.joined(separator: ", ") + (plugin.error.map { ": " + $0.code } ?? "")
    }
    let problems = plugins.catalog.problems.map { "folder, \($0.source.rawValue): \($0.refusal.report.code)" }
    return BugReport.Section(title: "Plugins", lines: known + problems)
  }

  // MARK: Messages

  /// The findings of `doctor`.
  func findings(_ findings: [Finding]) -> BugReport.Section {
    BugReport.Section(
      title: "Findings of 'doctor'",
      lines: findings.map { finding in
        let name = words.filtered(finding.name)
        return "\(finding.status.rawValue) \(finding.area)\(name.isEmpty ? "" : " " + name): "
          + words.filtered(finding.message)
      })
  }

  /// The last crash of each quarantined plugin, newest first.
  var crashes: BugReport.Section {
    let entries = PluginQuarantine(state: plugins.folders.state).entries.values.sorted {
      ($0.date, $0.id) > ($1.date, $1.id)
    }
    return BugReport.Section(
      title: "Crashes of plugins",
      lines: entries.map { entry in
        let phase = PluginPhase(rawValue: entry.phase)?.rawValue ?? "unknown phase"
        let facts = [
          Self.date(entry.date), entry.id, phase, words.filtered(entry.command),
          entry.signal.isEmpty
            ? "ended the program" : Self.isHarmless(entry.signal) ? entry.signal : DeclaredWords.ellipsis,
        ]
        return facts.filter { !$0.isEmpty }.joined(separator: ", ")
      })
  }

  /// The last lines of the log.
  func log(lines count: Int) -> BugReport.Section {
    let path = HostLog.path(in: plugins.folders.state)
    // Only a regular file: reading a pipe would not end.
    let isFile = (try? HostFile.start(of: path, count: 0)) != nil
    let bytes = isFile ? (try? HostFile.read(path, limit: 4 * HostLog.standardLimit)) ?? [] : []
    let lines = bytes.split(separator: 0x0A).suffix(count).map { line in
      let fields = line.split(separator: 0x09, maxSplits: 3, omittingEmptySubsequences: false)
        .map { FieldText.plain(String(decoding: $0.prefix(Self.longestMessage), as: UTF8.self)) }
      guard fields.count == 4, let severity = Diagnostic.Severity(rawValue: fields[1]) else {
        return DeclaredWords.ellipsis
      }
      return [Self.date(fields[0]), severity.rawValue, words.filtered(fields[2]), words.filtered(fields[3])]
        .joined(separator: " ")
    }
    return BugReport.Section(title: "Last lines of the log", lines: lines)
  }

  /// The bytes of a message that are looked at.
  private static let longestMessage = 2000

  /// Returns a date as the program writes it; an ellipsis for any other text.
  private static func date(_ text: String) -> String {
    let isDate =
      text.utf8.count <= 32 && text.utf8.allSatisfy { (0x30...0x3A).contains($0) || "-.TZ".utf8.contains($0) }
    return isDate ? text : DeclaredWords.ellipsis
  }

  // MARK: Words

  private static func words(_ interpreter: CommandInterpreter, _ book: SettingsBook) -> DeclaredWords {
    let plugins = interpreter.session.plugins.contributions
    let entries = interpreter.table.entries
    let codes = HostErrorCodes.all + plugins.flatMap(\.errorCodes)
    let parameters = entries.flatMap { $0.declaration.arguments + $0.declaration.options }
    let checks = plugins.flatMap { plugin in plugin.checks.map { (plugin.plugin.id + "." + $0.name, $0.summary) } }
    let screens = plugins.flatMap(\.screens)
    let texts =
      entries.flatMap { [$0.declaration.summary, $0.declaration.discussion] } + parameters.map(\.summary)
      + codes.map(\.summary) + checks.map(\.1) + screens.map(\.title) + screens.flatMap { $0.actions.map(\.title) }
    let names =
      plugins.map(\.plugin.id) + entries.map(\.words) + entries.map(\.declaration.name) + codes.map(\.code)
      + checks.map(\.0) + book.names + EnvironmentChecks.names + screens.map(\.name)
    return DeclaredWords(texts: texts, names: names, secrets: secrets(interpreter.streams.environment, book))
  }

  /// Beginnings and ends of words in the names of variables whose values may be secrets or name the user.
  private static let secretParts = [
    "USER", "LOGNAME", "NAME", "MAIL", "TOKEN", "SECRET", "PASS", "KEY", "CREDENTIAL",
  ]

  /// Returns the names of user and machine, and the values of variables and settings that may hold secrets.
  private static func secrets(_ environment: [String: String], _ book: SettingsBook) -> [String] {
    let account = Account(getuid())
    var name = utsname()
    uname(&name)
    let hidden = environment.filter { variable, _ in
      let parts = variable.uppercased().split(separator: "_")
      return parts.first == "WORKBENCH"
        || parts.contains { part in secretParts.contains { part.hasPrefix($0) || part.hasSuffix($0) } }
    }
    let settings = book.changes.filter { isHidden($0.parameter) }.map(\.value.shortText)
    let names = [environment["HOME"], account?.name, account?.home, text(name.nodename)]
    return hidden.map(\.value) + settings + names.compactMap { $0 }
  }
}
