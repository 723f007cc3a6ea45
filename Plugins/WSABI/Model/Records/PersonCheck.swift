import PluginAPI

/// The fingers of a person that are missing, taken twice or mixed up, and the quality of the newest captures.
struct PersonCheck: Model {
  /// The number of the person.
  let person: Int
  /// All ten fingers, right thumb first.
  let fingers: [Finger]
  /// The titles of the fingers without a capture and without an annotation.
  let open: [String]
  let findings: [OrderCheck.Finding]
  /// The numbers of items whose fingers could not be compared.
  let unseen: [Int]
  let qualities: [Quality]

  init(_ person: Int, _ items: [BiometricItem], _ order: (findings: [OrderCheck.Finding], unseen: [Int])) {
    let all = MissingFingers(items)
    (self.person, findings, unseen) = (person, order.findings, order.unseen)
    open = all.open.map(MissingFingers.title)
    fingers = zip(all.states, all.conditions).enumerated().map { index, known in
      Finger(position: index + 1, state: known.0, condition: known.1)
    }
    qualities = items.compactMap { item in item.capture?.quality.map { Quality(item: item, quality: $0) } }
  }

  static let typeName = WSABIValueType.personCheck
  static let fields = Fields<PersonCheck> {
    Field("person", \.person, "Number of the person")
    Field("fingers", \.fingers, "All ten fingers, right thumb first")
    Field("open", \.open, "Fingers without a capture and without an annotation")
    Field("findings", \.findings, "Captures that look mixed up")
    Field("unseen", \.unseen, "Items whose fingers could not be compared")
    Field("qualities", \.qualities, "Qualities of the newest captures")
  }

  /// A finger with its state.
  struct Finger: Model {
    /// 1 (right thumb) … 10 (left little finger).
    let position: Int
    let state: MissingFingers.State
    let condition: PartCondition

    var title: String { MissingFingers.title(position) }

    static let typeName = "wsabi.finger"
    static let fields = Fields<Finger> {
      Field("finger", \.title, "Finger")
      Field("state", \.state, "State of the finger")
      Field("condition", \.condition, "Condition as annotated")
    }
  }

  /// The quality of an item's newest capture.
  struct Quality: Model {
    let item: BiometricItem
    let quality: CaptureRecord.Quality

    /// The usual minimum quality.
    var minimum: Int { CaptureQuality.usualMinimum(item.submodality) }

    static let typeName = "wsabi.quality"
    static let fields = Fields<Quality> {
      Field("item", \.item.id, "Number of the item")
      Field("score", \.quality.score, "0 … 100")
      Field("scorer", \.quality.scorer, "Name of the scorer")
      Field("minimum", \.minimum, "Usual minimum quality")
    }
  }
}

extension OrderCheck.Finding: Model {
  /// The fingers as declared, in the order of the items.
  var fingers: [String] { positions.map(MissingFingers.title) }

  static let typeName = "wsabi.finding"
  static let fields = Fields<OrderCheck.Finding> {
    Field("kind", \.kind, "Kind of problem")
    Field("items", \.items, "The two items")
    Field("fingers", \.fingers, "Fingers as declared, in the order of the items")
    Field("likeness", { Double($0.likeness) }, "Similarity, from about 0.08 for different fingers to 1")
  }
}

extension OrderCheck.Finding.Kind: ReadableField {}
extension MissingFingers.State: ReadableField {}
