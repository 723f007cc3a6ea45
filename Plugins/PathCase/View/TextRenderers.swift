import PluginAPI
import PluginText

/// Renders an analysis of scenarios as a tree: the count, the common states, some scenarios, the reasons if there are
/// none.
struct ScenarioRenderer: TextRenderer {
  var typeName: String { PathCaseValueType.scenarios }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let report = ModelRecord<ScenarioReport>(value)
    var tree = BranchText(request)
    tree.add(.init(text: Self.heading(report), style: .heading, branches: Self.common(report)))
    for note in report[\.notes] { tree.add(.init(text: note, style: .warning)) }
    let missing = report[\.missingRegulation]
    if !missing.isEmpty {
      tree.add(
        .init(text: "scenarios would exist if these processes were inhibited: \(missing.joined(separator: ", "))"))
    }
    for conflict in report[\.conflicts] {
      tree.add(
        .init(text: conflict[\.summary], style: .error, branches: conflict[\.chain].map { .init(text: $0) }))
    }
    if let scenarios = Self.scenarios(report) { tree.add(scenarios) }
    if let shares = Self.shares(report) { tree.add(shares) }
    if let levels = Self.levels(report) { tree.add(levels) }
    return tree.text
  }

  private static func heading(_ report: ModelRecord<ScenarioReport>) -> String {
    let count = BigUnsigned(report[\.found.count.description]) ?? .zero
    let power = count.powerOfTen.map { " (\($0))" } ?? ""
    let name = SanitizedText.line(report[\.network.name])
    let mode = report[\.found.countedMode]?.rawValue ?? ""
    return "\(name): \(count.grouped)\(power) \(mode) scenario\(count == .one ? "" : "s")"
  }

  /// Returns the branches of the states common to all scenarios.
  private static func common(_ report: ModelRecord<ScenarioReport>) -> [BranchText.Branch] {
    let observed = report[\.observed].map { "\($0[\.pool]) \($0[\.label])" }
    let (forwards, backwards) = (Set(report[\.mustForward]), Set(report[\.mustBackward]))
    let must = report[\.mustActive].map {
      $0 + (forwards.contains($0) ? " +" : backwards.contains($0) ? " -" : " + or -")
    }
    let isEmpty = report[\.found.count.description] == "0"
    let size = "\(report[\.network.processes.count]) processes, \(report[\.network.pools.count]) pools"
    let rows = [
      ("network", [size]), ("observed", observed), ("always run", isEmpty ? [] : must),
      ("never run", isEmpty ? [] : report[\.neverActive]),
    ]
    return rows.filter { !$0.1.isEmpty }.map {
      .init(text: "\($0.0): \($0.1.map { SanitizedText.line($0) }.joined(separator: ", "))")
    }
  }

  private static func scenarios(_ report: ModelRecord<ScenarioReport>) -> BranchText.Branch? {
    let scenarios = report[\.scenarios]
    guard let states = scenarios.first else { return nil }
    let forced = Set(report[\.mustForward] + report[\.mustBackward])
    let shared = inAllShown(scenarios).filter { !forced.contains($0) }
    let listed = forced.union(shared)
    let rest = shared.isEmpty ? "only those that always run" : "nothing else"
    let branches = zip(report[\.scenarioNumbers], scenarios).map { number, scenario -> BranchText.Branch in
      let active = scenario.entries.filter { $0.content != .idle }
      let open = active.filter { !listed.contains($0.name) }.map { "\($0.name) \($0.content.character)" }
      let also = active.count > open.count ? (open.isEmpty ? rest : "also ") : ""
      let none = active.isEmpty ? "all processes are idle" : ""
      let count = (BigUnsigned(number) ?? .zero).grouped
      return .init(text: "\(count): \(none)\(also)" + open.map { SanitizedText.line($0) }.joined(separator: ", "))
    }
    let same = shared.map { SanitizedText.line($0) + " " + (states[$0].map { String($0.character) } ?? "") }
    let head = same.isEmpty ? [] : [BranchText.Branch(text: "in all shown: \(same.joined(separator: ", "))")]
    return .init(text: "scenarios", style: .heading, branches: head + branches)
  }

  /// Returns the processes that run in the same direction in all of several scenarios, in the order of the network.
  private static func inAllShown(_ scenarios: [NamedValues<ProcessState>]) -> [String] {
    guard scenarios.count > 1, let first = scenarios.first else { return [] }
    return first.entries.filter { name, state in state != .idle && scenarios.allSatisfy { $0[name] == state } }
      .map(\.name)
  }

  private static func shares(_ report: ModelRecord<ScenarioReport>) -> BranchText.Branch? {
    guard let shares = report[\.shares], !shares.isEmpty else { return nil }
    let branches = shares.map { share -> BranchText.Branch in
      let part = min(1, max(0, share[\.activeShare] ?? 0))
      let bar = String(repeating: "#", count: Int((part * 20).rounded()))
      let name = TextWidth.padded(SanitizedText.line(share[\.process]), to: 12)
      return .init(text: "\(name) \(TextWidth.padded(bar, to: 20)) \(percent(part))")
    }
    return .init(text: "runs in", style: .heading, branches: branches)
  }

  /// Returns a share in percent; only exact 0 and 1 are shown as 0 and 100.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    if tenths == 0, share > 0 { return "< 0.1 %" }
    if tenths == 1000, share < 1 { return "> 99.9 %" }
    return "\(tenths / 10).\(tenths % 10) %"
  }

  private static func levels(_ report: ModelRecord<ScenarioReport>) -> BranchText.Branch? {
    let every = report[\.labels].map(String.init).joined(separator: "|")
    let known = report[\.poolLevels]?.entries.filter { $0.content != every } ?? []
    guard !known.isEmpty else { return nil }
    return .init(
      text: "levels of pools", style: .heading,
      branches: known.map { .init(text: "\(SanitizedText.line($0.name)): \($0.content)") })
  }
}

/// Renders elementary modes as a tree: the status and number, then each mode with its reactions.
struct ModesRenderer: TextRenderer {
  var typeName: String { PathCaseValueType.modes }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let report = ModelRecord<ModesReport>(value)
    var tree = BranchText(request)
    let count = report[\.found.modes.count]
    tree.add(
      .init(
        text: "\(report[\.status]): \(count) elementary mode\(count == 1 ? "" : "s")", style: .heading,
        branches: report[\.modes].map(Self.branch)))
    let unused = report[\.unused].map { SanitizedText.line($0) }
    if !unused.isEmpty {
      tree.add(.init(text: "in no mode: " + unused.joined(separator: ", "), style: .secondary))
    }
    return tree.text
  }

  private static func branch(_ mode: ModelRecord<ModesReport.Mode>) -> BranchText.Branch {
    let terms = (mode[\.fluxes]?.entries ?? []).map { name, amount -> String in
      let times = amount.magnitude == 1 ? "" : "\(amount.magnitude) "
      return (amount < 0 ? "- " : "+ ") + times + SanitizedText.line(name)
    }
    let direction = mode[\.isReversible] ? " (both ways)" : ""
    return .init(text: "\(mode[\.number]): \(terms.joined(separator: " "))\(direction)")
  }
}

/// Renders drawings of characters; in plain text, ASCII characters replace boxes, lines and arrows.
struct DrawingRenderer: TextRenderer {
  var typeName: String { PathCaseValueType.drawing }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for line in (value.text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      text.add(.init(request.isPlain ? Self.ascii(line) : String(line)))
    }
    return text
  }

  private static func ascii(_ line: Substring) -> String { String(line.map { characters[$0] ?? $0 }) }

  private static let characters: [Character: Character] = {
    var characters: [Character: Character] = [:]
    let classes: [(ascii: Character, drawn: String)] = [
      ("-", "─╌╴╶"), ("|", "│┆╵╷"), ("+", "╭╮╰╯┌┐└┘├┤┬┴┼"), ("^", "▲△"), ("v", "▼▽"), ("<", "◀"), (">", "▶"),
      ("X", "↕"),
      ("o", "○●"), ("#", "■"), ("@", "◆"), ("*", "▣"),
    ]
    for (ascii, drawn) in classes { for character in drawn { characters[character] = ascii } }
    return characters
  }()
}

/// A tree of short texts: a heading and its branches, with long texts wrapped beside their branch.
private struct BranchText {
  /// A text with its branches.
  struct Branch: Sendable {
    var text: String
    var style = Style.plain
    var branches: [Branch] = []
  }

  private(set) var text = StyledText()
  private let width: Int
  private let isPlain: Bool

  init(_ request: TextRequest) {
    width = max(20, request.width)
    isPlain = request.isPlain
  }

  /// Adds a text at the left edge with its branches.
  mutating func add(_ branch: Branch) {
    for line in TextWidth.wrapped(branch.text, to: width) { text.add(.init(line, branch.style)) }
    add(branch.branches, indent: "")
  }

  /// Adds branches; trees of scenarios have two levels, so the recursion is shallow.
  private mutating func add(_ branches: [Branch], indent: String) {
    for (index, branch) in branches.enumerated() {
      let isLast = index == branches.count - 1
      let first = isPlain ? "  " : isLast ? "└─ " : "├─ "
      let rest = isPlain ? "  " : isLast ? "   " : "│  "
      let room = max(10, width - TextWidth.columns(indent) - 3)
      // Text that fits keeps its spaces, which align columns.
      let fits = TextWidth.columns(branch.text) <= room
      for (place, line) in (fits ? [branch.text] : TextWidth.wrapped(branch.text, to: room)).enumerated() {
        text.add(.init(indent + (place == 0 ? first : rest), .secondary), .init(line, branch.style))
      }
      add(branch.branches, indent: indent + rest)
    }
  }
}
