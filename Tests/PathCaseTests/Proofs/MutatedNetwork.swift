import PluginAPI

@testable import PathCase

/// An input that is passed through every reader that might apply.
struct MutatedNetwork {
  var bytes: [UInt8]

  /// The outcome of reading an input.
  struct Outcome {
    /// The kind as which it was accepted; nil if it was rejected.
    var kind: String?
    /// The codes of the errors.
    var codes: [String] = []
    /// The violated expectations.
    var findings: [String] = []

    mutating func accept(_ kind: String) { if self.kind == nil { self.kind = kind } }
  }

  func outcome() -> Outcome {
    var outcome = Outcome()
    attempt(&outcome) { outcome in
      let content = try NetworkFile.content(of: bytes, name: "input")
      outcome.accept(Self.kind(of: content))
      try follow(content, &outcome)
    }
    let first = bytes.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { readJSON(&outcome) }
    if first != UInt8(ascii: "<"), bytes.first != 0x1F { readTexts(&outcome) }
    return outcome
  }

  /// Calls a function; its errors must be reportable to users.
  private func attempt(_ outcome: inout Outcome, _ work: (inout Outcome) throws -> Void) {
    do {
      try work(&outcome)
    } catch {
      guard let report = (error as? any ReportableError)?.report else {
        outcome.findings.append("an error without a report: \(error)")
        return
      }
      outcome.codes.append(report.code)
      if !Self.known.contains(report.code) { outcome.findings.append("the code \(report.code) is not listed") }
      if report.message.utf8.count > 4000 {
        outcome.findings.append("\(report.code) has a message of \(report.message.utf8.count) bytes")
      }
    }
  }

  private static let known = Set(
    (PathCaseErrorCodes.all + COBRAError.errorCodes + SBMLWriteError.errorCodes).map(\.code))

  private static func kind(of content: NetworkFile.Content) -> String {
    switch content {
    case .model: "SBML"
    case .map(let document): document.format.title
    case .scenario: "scenario networks"
    case .document: "documents"
    }
  }

  private func readJSON(_ outcome: inout Outcome) {
    attempt(&outcome) { outcome in
      let model = try COBRAReader.model(bytes)
      outcome.accept("COBRA JSON")
      follow(model, &outcome)
      let again = try COBRAReader.model(COBRAWriter.bytes(model))
      if again.reactions.count != model.reactions.count { outcome.findings.append("COBRA JSON loses reactions") }
    }
    attempt(&outcome) { outcome in
      _ = try OverlayReader.read(bytes)
      outcome.accept("overlays")
    }
  }

  /// Reads unstructured texts: observations, and gene rules.
  private func readTexts(_ outcome: inout Outcome) {
    attempt(&outcome) { outcome in
      let rows = try ObservationReader.read(bytes)
      outcome.accept("observations")
      _ = try Self.observed.observing(rows)
    }
    var genes = 0
    let text = String(decoding: bytes, as: UTF8.self)
    guard
      let rule = GeneRule.read(
        text,
        gene: { _ in
          genes += 1
          return genes - 1
        })
    else { return }
    outcome.accept("rules on genes")
    let written = rule.text { "g\($0)" }
    if GeneRule.read(written, gene: { _ in 0 }) == nil { outcome.findings.append("a rule that is written is not read") }
  }

  /// A network for observations.
  private static let observed: ScenarioNetwork = {
    var network = ScenarioNetwork()
    network.pools = ["glc", "lac", "pyr", "fbp"].map { ScenarioPool(id: $0) }
    return network
  }()

  // MARK: Further processing

  private func follow(_ content: NetworkFile.Content, _ outcome: inout Outcome) throws {
    switch content {
    case .model(let document):
      follow(document.model, &outcome)
      // A model that can be read can also be validated.
      _ = try SBMLValidator.problems(MapBytes.plain(bytes))
      write(document.model, &outcome)
    case .map(let document):
      if document.warnings.contains(where: { $0.message.utf8.count > 4000 }) {
        outcome.findings.append("a warning is very long")
      }
      follow(document.graph)
      for write in PlacedMapWriters.all { attempt(&outcome) { _ in _ = try write(document) } }
      _ = DOTWriter.write(document.graph)
      _ = GraphJSONWriter.write(document.graph)
    case .scenario(let network): follow(network)
    case .document(let document):
      if document.type != .manifest { attempt(&outcome) { _ in _ = try DatabaseLinker.link(document.records) } }
    }
  }

  /// Writes a model as SBML; a written model must be readable.
  private func write(_ model: ReactionModel, _ outcome: inout Outcome) {
    attempt(&outcome) { outcome in
      let bytes = try SBMLWriter.bytes(model)
      do {
        let again = try SBMLReader.model(bytes).model
        if again.species.count != model.species.count || again.reactions.count != model.reactions.count {
          outcome.findings.append("SBML loses species or reactions")
        }
      } catch {
        outcome.findings.append("a model that was written is not read: \(error)")
      }
    }
  }

  private func follow(_ model: ReactionModel, _ outcome: inout Outcome) {
    follow(model.graph)
    follow(model.scenarioNetwork)
    if model.reactions.count < 60 {
      attempt(&outcome) { outcome in
        let solution = try FluxAnalysis.solve(FluxProblem(model))
        if solution.status != .optimal, solution.objective != nil {
          outcome.findings.append("a number beside the status \(solution.status)")
        }
      }
    }
  }

  /// Lays out a small graph and draws it.
  private func follow(_ graph: ReactionGraph) {
    guard graph.nodes.count < 60, graph.edges.count < 120 else { return }
    let layout = LayeredLayout.layout(graph)
    let drawing = TextDrawing(graph, layout)
    guard drawing.width * drawing.height < 1 << 18 else { return }
    _ = drawing.canvas(.init(width: drawing.width, height: drawing.height)).lines
  }

  private func follow(_ network: ScenarioNetwork) {
    guard network.processes.count < 30 else { return }
    _ = try? ScenarioAnalysis(network, limits: SearchLimits(states: 20_000, sizeInBytes: 16 << 20))
  }
}
