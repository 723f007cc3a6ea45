import PluginAPI

/// Commands that review captures.
enum ReviewCommands {
  static let all = [check]

  private static let findingFields: [ValueSchema.Field] = [
    .init("kind", .choice(OrderCheck.Finding.Kind.allCases.map(\.rawValue)), "what is wrong"),
    .init("items", .list(.integer), "the two items"),
    .init("fingers", .list(.text), "what they say they show, in their order"),
    .init("likeness", .number, "from about 0.08 for different fingers up to 1"),
  ]

  private static let fields: [ValueSchema.Field] = [
    .init("person", .integer, "the person's number"),
    .init(
      "fingers",
      .list(
        .record([
          .init("finger", .text, "which of the ten"),
          .init("state", .choice(MissingFingers.State.allCases.map(\.rawValue)), "what is known of it"),
          .init("condition", .choice(PartCondition.allCases.map(\.rawValue)), "how items say it is, captured or not"),
        ])), "the ten fingers, the right thumb first"),
    .init("open", .list(.text), "fingers that nothing shows and nobody explains"),
    .init("findings", .list(.record(findingFields)), "captures that are not where they belong"),
    .init("unseen", .list(.integer), "items whose fingers could not be compared"),
    .init(
      "qualities",
      .list(
        .record([
          .init("item", .integer, "the item's number"), .init("score", .integer, "0 … 100"),
          .init("scorer", .text, "who says so"), .init("minimum", .integer, "the least that is usually asked for"),
        ])), "of the newest captures"),
  ]

  static let check = WSABICommand(
    CommandDescription(
      "person check", "tells which fingers are missing, taken twice or mixed up",
      output: .init(.record(fields), typeName: WSABIValueType.personCheck), effects: [.reads, .writes]
    ).taking(
      [PersonCommands.person],
      options: [
        Parameter("score", .flag, "score all newest captures anew, and make their thumbnails"), StationKey.option,
        StationKey.standardInput,
      ]
    ).explained(
      """
      Fingers are compared by their ridges, those of slaps with those taken one by one: a warning for whoever captures, \
      and no identification. Documentation/WSABI/Quality.md tells how often it errs.
      """, examples: [.init("person check 1", "before somebody leaves the station")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let person = call["person"].integer ?? 0
    let review = station.review(call.context, records)
    if call.flag("score") {
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
    try await call.emit(value(person, items, order).typed(WSABIValueType.personCheck))
  }

  private static func value(
    _ person: Int, _ items: [BiometricItem], _ order: (findings: [OrderCheck.Finding], unseen: [Int])
  ) -> Value {
    let fingers = MissingFingers(items)
    let qualities = items.compactMap { item -> Value? in
      guard let quality = item.capture?.quality else { return nil }
      return [
        "item": .integer(item.id), "score": .integer(quality.score), "scorer": .text(quality.scorer),
        "minimum": .integer(CaptureQuality.usualMinimum(item.submodality)),
      ]
    }
    return [
      "person": .integer(person),
      "fingers": .list(
        fingers.states.enumerated().map { place, state in
          [
            "finger": .text(MissingFingers.title(place + 1)), "state": .text(state.rawValue),
            "condition": .text(fingers.conditions[place].rawValue),
          ]
        }),
      "open": .list(fingers.open.map { .text(MissingFingers.title($0)) }),
      "findings": .list(order.findings.map(value)), "unseen": .list(order.unseen.map(Value.integer)),
      "qualities": .list(qualities),
    ]
  }

  private static func value(_ finding: OrderCheck.Finding) -> Value {
    [
      "kind": .text(finding.kind.rawValue), "items": .list(finding.items.map(Value.integer)),
      "fingers": .list(finding.positions.map { .text(MissingFingers.title($0)) }),
      "likeness": .number(Double(finding.likeness)),
    ]
  }
}
