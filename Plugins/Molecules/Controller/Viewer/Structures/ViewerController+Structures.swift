import PluginAPI

/// A molecule waiting to be shown together with the active one.
struct WaitingStructure: Equatable, Sendable {
  var target: MoleculeTarget
  /// The saved view of a session; nil for the default.
  var view: Value?
}

/// Shows several molecules in one picture.
extension ViewerController {
  static let addingName = "add"
  static let superposingName = "superpose"
  static let openingLibraryForStructures: EffectID = "open-library-for-structures"
  static let askingStructure: EffectID = "add-structure"
  static let structuresSheetID: EffectID = "structures"
  static let structureSheetName = "structure"

  /// The parts of the scene in addition to the active molecule.
  var extras: SceneExtras {
    SceneExtras(others: structures.others, isFirstVisible: structures.isFirstVisible, marks: stripMarks)
  }

  // MARK: Adding

  /// Loads the waiting molecules, one after the other.
  func addWaiting() -> [Effect] {
    guard molecule != nil, let waiting = waitingStructures.first, let library = try? MoleculeLibrary(context) else {
      return []
    }
    let (isOpen, target) = (isLibraryOpen, waiting.target)
    return [
      .compute(EffectID(Self.addingName, generation: shownLoading), label: "loading") { progress in
        try library.loadAndWait(target, isOpen: isOpen, progress)
      }
    ]
  }

  private func add(_ target: MoleculeTarget) -> [Effect] {
    waitingStructures.append(WaitingStructure(target: target))
    return waitingStructures.count == 1 ? addWaiting() : []
  }

  var askStructure: [Effect] {
    [.ask(Self.askingStructure, PromptRequest("Number, code or title of a molecule, or a file"))]
  }

  private func take(_ loaded: LoadedTarget) -> [Effect] {
    switch loaded {
    case .needsLibrary: return [.run(Self.openingLibraryForStructures, command: "list", arguments: Record())]
    case .emptyLibrary: waitingStructures = []
    case .molecule(let molecule):
      guard !waitingStructures.isEmpty else { return [] }
      let waiting = waitingStructures.removeFirst()
      let place: MoleculePlace? =
        if let id = molecule.id { .library(id) } else if case .word(let word) = waiting.target { .file(word) } else {
          nil
        }
      guard let place else { return addWaiting() }
      var added = ShownStructure(place: place, molecule: molecule)
      if let view = waiting.view { added.take(view) }
      structures.add(added)
      return (waiting.view == nil ? showAll(from: turn) : render(isMoving: false)) + addWaiting()
    }
    return []
  }

  /// Handles a message about structures; returns nil for other messages.
  func receiveStructures(_ message: Message) -> [Effect]? {
    switch message {
    case .finished(let id, let loaded as LoadedTarget) where id.name == Self.addingName:
      return id.generation == shownLoading ? take(loaded) : []
    case .failed(let id, _) where id.name == Self.addingName:
      if !waitingStructures.isEmpty { waitingStructures.removeFirst() }
      return addWaiting()
    case .cancelled(let id) where id.name == Self.addingName:
      waitingStructures = []
      return []
    case .finished(Self.openingLibraryForStructures, _):
      isLibraryOpen = true
      return addWaiting()
    case .failed(Self.openingLibraryForStructures, _), .cancelled(Self.openingLibraryForStructures):
      waitingStructures = []
      return []
    case .answered(Self.askingStructure, let word): return word.map { $0.isEmpty ? [] : add(.word($0)) } ?? []
    case .answered(Self.structuresSheetID, let answer): return choose(answer)
    case .answered(let id, let answer) where id.name == Self.structureSheetName:
      return change(id.generation, answer)
    case .emitted(let id, let value) where id.name == Self.superposingName: return superposed(id.generation, value)
    case .returned("library", let value) where value["add"].integer != nil:
      return value["add"].integer.map { add(.number($0)) }
    default: return nil
    }
  }

  // MARK: Sheets

  /// The list of the molecules shown together.
  var structuresSheet: [Effect] {
    guard let molecule else { return askStructure }
    let code = molecule.structure.metadata.entryID
    var choices = [
      ChoiceRequest.Choice(
        id: "-1", title: Self.mark(structures.isFirstVisible) + (code.isEmpty ? molecule.displayTitle : code),
        detail: "the one that keys act on")
    ]
    choices += structures.others.enumerated().map { index, structure in
      ChoiceRequest.Choice(
        id: "\(index)", title: Self.mark(structure.isVisible) + structure.name,
        detail: structure.coloring.title + (structure.motion == nil ? "" : ", laid on the first"))
    }
    choices.append(.init(id: "add", title: "Add a molecule", detail: "or w in the library"))
    return [.choose(Self.structuresSheetID, ChoiceRequest("Shown together", choices: choices))]
  }

  private static func mark(_ isVisible: Bool) -> String { isVisible ? "● " : "○ " }

  private func choose(_ answer: String?) -> [Effect] {
    if answer == "add" { return askStructure }
    guard let index = answer.flatMap({ Int($0) }) else { return [] }
    if index < 0 {
      structures.isFirstVisible.toggle()
      return showAllUnlessAimed()
    }
    guard let structure = structures.others[safe: index] else { return [] }
    var choices = [ChoiceRequest.Choice(id: "toggle", title: structure.isVisible ? "Hide it" : "Show it")]
    choices.append(.init(id: "superpose", title: "Lay it on the first", detail: "by its sequence"))
    if structure.motion != nil { choices.append(.init(id: "release", title: "Put it back where it was")) }
    choices.append(.init(id: "single", title: "Colour: one of its own"))
    choices += ColorScheme.allCases.map { .init(id: "scheme:" + $0.rawValue, title: "Colour: by \($0.title)") }
    choices.append(.init(id: "remove", title: "Take it away"))
    return [
      .choose(
        EffectID(Self.structureSheetName, generation: index), ChoiceRequest(structure.name, choices: choices))
    ]
  }

  private func change(_ index: Int, _ answer: String?) -> [Effect] {
    switch answer {
    case "toggle":
      structures.change(at: index) { $0.isVisible.toggle() }
      return showAllUnlessAimed()
    case "superpose": return superpose(index)
    case "release":
      structures.change(at: index) { $0.motion = nil }
      return showAll(from: turn)
    case "single": structures.change(at: index) { $0.coloring = .single }
    case "remove":
      structures.remove(at: index)
      return showAllUnlessAimed()
    case let scheme?:
      guard let scheme = ColorScheme(rawValue: String(scheme.dropFirst("scheme:".count))) else { return [] }
      structures.change(at: index) { $0.coloring = .scheme(scheme) }
    case nil: return []
    }
    return render(isMoving: false)
  }

  // MARK: Laying on

  private func superpose(_ index: Int) -> [Effect] {
    guard let structure = structures.others[safe: index], let first = shownPlace else { return [] }
    return [
      .run(
        EffectID(Self.superposingName, generation: structure.number), command: "superpose",
        arguments: ["molecule": .text(structure.place.word), "onto": .text(first.word)])
    ]
  }

  /// Applies the transformation x' = R x + t, rows of R first.
  private func superposed(_ number: Int, _ value: Value) -> [Effect] {
    guard let index = structures.others.firstIndex(where: { $0.number == number }),
      let motion = Transform(rotation: value["rotation"], translation: value["translation"])
    else { return [] }
    structures.change(at: index) { $0.motion = motion }
    let fit = value["rmsd"].number.map { "\(($0 * 1000).rounded() / 1000) Å" } ?? ""
    let text = "laid on the first: \(fit) over \(value["atoms"].integer ?? 0) atoms"
    return [.status(Diagnostic(.note, code: "molecules.superposed", text))] + showAll(from: turn)
  }
}

extension ShownStructure.Coloring {
  /// The display name.
  var title: String {
    switch self {
    case .single: "one colour"
    case .scheme(let scheme): "by \(scheme.title)"
    }
  }
}

extension MoleculePlace {
  /// The word for it in commands.
  var word: String {
    switch self {
    case .library(let id): "\(id)"
    case .file(let path): path
    }
  }
}

extension ShownStructure {
  /// The saved view for sessions.
  var view: Value {
    let rows = motion.map { motion in
      [motion.row0, motion.row1, motion.row2, motion.translation].flatMap { [$0.x, $0.y, $0.z] }
    }
    let color = if case .scheme(let scheme) = coloring { scheme.rawValue } else { "single" }
    return [
      "color": .text(color), "visible": .bool(isVisible),
      "motion": .list((rows ?? []).map(Value.number)),
    ]
  }

  /// Restores the view from a session.
  mutating func take(_ view: Value) {
    if let scheme = view["color"].text.flatMap(ColorScheme.init(rawValue:)) { coloring = .scheme(scheme) }
    isVisible = view["visible"].bool ?? true
    let numbers = (view["motion"].list ?? []).compactMap(\.number)
    if numbers.count == 12 {
      motion = Transform(
        rotation: .list((0..<3).map { .list(numbers[3 * $0..<3 * $0 + 3].map(Value.number)) }),
        translation: .list(numbers[9...].map(Value.number)))
    }
  }
}

extension Transform {
  /// Creates a transformation from the rows of its rotation and its translation; nil if they are malformed.
  fileprivate init?(rotation: Value, translation: Value) {
    let rows = (rotation.list ?? []).map { ($0.list ?? []).compactMap(\.number) }
    let shift = (translation.list ?? []).compactMap(\.number)
    guard rows.count == 3, rows.allSatisfy({ $0.count == 3 }), shift.count == 3,
      (rows.joined() + shift).allSatisfy(\.isFinite)
    else { return nil }
    func vector(_ row: [Double]) -> SIMD3<Double> { SIMD3(row[0], row[1], row[2]) }
    self.init(row0: vector(rows[0]), row1: vector(rows[1]), row2: vector(rows[2]), translation: vector(shift))
  }
}
