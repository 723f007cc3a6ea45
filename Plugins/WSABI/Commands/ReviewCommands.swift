import PluginAPI

/// Commands that review captures.
enum ReviewCommands {
  static let all = [check]

  private static let score = Option(flag: "score", "score all newest captures anew, and make their thumbnails")

  static let check = WSABICommand(
    CommandDescription(
      "person check", "tells which fingers are missing, taken twice or mixed up",
      output: .model(PersonCheck.self), effects: [.reads, .writes]
    ).taking(PersonCommands.person, score, StationKey.option, StationKey.standardInput).explained(
      """
      Fingers are compared by their ridges, those of slaps with those taken one by one: a warning for whoever captures, \
      and no identification. Documentation/WSABI/Quality.md tells how often it errs.
      """, examples: [.init("person check 1", "before somebody leaves the station")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let person = call[PersonCommands.person]
    let review = station.review(call.context, records)
    if call[score] {
      for item in try await records.items(of: person) {
        guard let capture = item.capture else { continue }
        do {
          _ = try await review.review(capture, of: item.shown(capture))
        } catch let error as ScorerError {
          // The other captures may succeed, and earlier scores remain.
          call.warn(
            Diagnostic(
              .warning, code: "wsabi.scorer", "item \(item.id) has no new quality: \(error.report.message)",
              advice: error.report.advice))
        }
      }
    }
    let items = try await records.items(of: person)
    let order = try await review.order(items)
    for finding in order.findings {
      call.warn(Diagnostic(.warning, code: "wsabi.\(finding.kind.code)", finding.words))
    }
    try await call.emit(PersonCheck(person, items, order))
  }
}

/// The fingers of a person that are missing, taken twice or mixed up, and the quality of the newest captures.
private struct PersonCheck: Model {
  private let person: Int
  private let fingers: [Finger]
  private let open: [Int]
  private let findings: [OrderCheck.Finding]
  private let unseen: [Int]
  private let qualities: [Quality]

  init(_ person: Int, _ items: [BiometricItem], _ order: (findings: [OrderCheck.Finding], unseen: [Int])) {
    let all = MissingFingers(items)
    (self.person, open, findings, unseen) = (person, all.open, order.findings, order.unseen)
    fingers = zip(all.states, all.conditions).enumerated().map { place, known in
      Finger(position: place + 1, state: known.0, condition: known.1)
    }
    qualities = items.compactMap { item in item.capture?.quality.map { Quality(item: item, quality: $0) } }
  }

  static let typeName = WSABIValueType.personCheck
  static let fields = Fields<PersonCheck> {
    Field("person", \.person, "the person's number")
    Field("fingers", \.fingers, "the ten fingers, the right thumb first")
    Field("open", { $0.open.map(MissingFingers.title) }, "fingers that nothing shows and nobody explains")
    Field("findings", \.findings, "captures that are not where they belong")
    Field("unseen", \.unseen, "items whose fingers could not be compared")
    Field("qualities", \.qualities, "of the newest captures")
  }

  private struct Finger: Model {
    let position: Int
    let state: MissingFingers.State
    let condition: PartCondition

    static let typeName = "wsabi.finger"
    static let fields = Fields<Finger> {
      Field("finger", { MissingFingers.title($0.position) }, "which of the ten")
      Field("state", \.state, "what is known of it")
      Field("condition", \.condition, "how items say it is, captured or not")
    }
  }

  private struct Quality: Model {
    let item: BiometricItem
    let quality: CaptureRecord.Quality

    static let typeName = "wsabi.quality"
    static let fields = Fields<Quality> {
      Field("item", \.item.id, "the item's number")
      Field("score", \.quality.score, "0 … 100")
      Field("scorer", \.quality.scorer, "who says so")
      Field("minimum", { CaptureQuality.usualMinimum($0.item.submodality) }, "the least that is usually asked for")
    }
  }
}

extension OrderCheck.Finding: Model {
  static let typeName = "wsabi.finding"
  static let fields = Fields<OrderCheck.Finding> {
    Field("kind", \.kind, "what is wrong")
    Field("items", \.items, "the two items")
    Field("fingers", { $0.positions.map(MissingFingers.title) }, "what they say they show, in their order")
    Field("likeness", { Double($0.likeness) }, "from about 0.08 for different fingers up to 1")
  }
}

extension OrderCheck.Finding.Kind: FieldValue {}
extension MissingFingers.State: FieldValue {}
