import PluginAPI
import PluginText

/// The prompts of a viewer and their effects: modes, selections, molecules shown together, and sessions.
@MainActor struct ViewerSheets {
  private let viewer: ViewerController
  private let scene: ViewerScene
  private let loading: ViewerLoading

  /// Creates the prompts for a viewer's scene.
  init(_ viewer: ViewerController, _ scene: ViewerScene, _ loading: ViewerLoading) {
    (self.viewer, self.scene, self.loading) = (viewer, scene, loading)
  }

  // MARK: Modes

  /// Asks for the mode.
  var mode: Effect {
    let request = ChoiceRequest(
      "Draw as", choices: RenderMode.allCases.map { .init(id: $0.name, title: $0.title, detail: $0.summary) },
      selected: scene.mode.name)
    return viewer.choose(request) { viewer, name in
      viewer.recorded { RenderMode(name: name).map { viewer.draw(as: $0) } } ?? []
    }
  }

  // MARK: Selections

  /// Asks for a selection, starting with the current one.
  func askSelection(_ text: String? = nil, saying fault: String? = nil) -> [Effect] {
    [
      viewer.ask(PromptRequest(fault ?? "Selection of atoms", text: text ?? scene.selection.text)) { viewer, text in
        viewer.recorded { viewer.sheets.select(text) } ?? []
      }
    ]
  }

  /// Shows a selection; prompts again with the error if it is malformed.
  func select(_ text: String) -> [Effect] {
    do {
      return try viewer.select(text)
    } catch {
      return askSelection(text, saying: "Selection of atoms: \(error.message); \(error.advice)")
    }
  }

  /// Asks for the name of the selection.
  func askSetName() -> [Effect] {
    guard scene.selection.shown != nil else {
      return [Self.note("nothing is selected", advice: "press / to select atoms")]
    }
    return [viewer.ask(PromptRequest("Name for the selection")) { $0.sheets.keepSelection(as: $1) }]
  }

  private func keepSelection(as name: String) -> [Effect] {
    if name.allSatisfy(\.isWhitespace) { return [] }
    do {
      try viewer.keepSelection(as: name)
      return []
    } catch {
      return [Self.note(error.message, advice: error.advice)]
    }
  }

  /// Asks which of the named selections to show.
  func chooseSet() -> [Effect] {
    let sets = scene.selection.sets.definitions
    guard !sets.isEmpty else {
      return [
        Self.note("no selections are saved", advice: "select atoms, then save the selection from the palette")
      ]
    }
    let choices = sets.map { ChoiceRequest.Choice(id: $0.name, title: $0.name, detail: $0.text) }
    let choosing = viewer.choose(ChoiceRequest("Saved selections", choices: choices)) { viewer, name in
      viewer.recorded { viewer.sheets.select(name) } ?? []
    }
    return [choosing]
  }

  private static func note(_ message: String, advice: String) -> Effect {
    .status(Diagnostic(.note, code: "molecules.selection-note", message, advice: advice))
  }

  // MARK: Molecules shown together

  /// Asks for a molecule to add.
  var askStructure: Effect {
    viewer.ask(PromptRequest("Number, entry code or title of a molecule, or path of a file")) { [loading] _, word in
      word.isEmpty ? [] : loading.add(.word(word))
    }
  }

  /// The list of the molecules shown together.
  var structures: Effect {
    guard let molecule = scene.molecule else { return askStructure }
    let code = molecule.structure.metadata.entryID
    var choices = [
      ChoiceRequest.Choice(
        id: "-1", title: Self.mark(scene.structures.isFirstVisible) + (code.isEmpty ? molecule.displayTitle : code),
        detail: "the keys apply to this one")
    ]
    choices += scene.structures.others.enumerated().map { index, structure in
      ChoiceRequest.Choice(
        id: "\(index)", title: Self.mark(structure.isVisible) + structure.name,
        detail: structure.coloring.title + (structure.motion == nil ? "" : ", superposed on the first"))
    }
    choices.append(.init(id: "add", title: "Add a molecule", detail: "or press w in the library"))
    return viewer.choose(ChoiceRequest("Structures shown together", choices: choices)) {
      $0.sheets.choose(structure: $1)
    }
  }

  private static func mark(_ isVisible: Bool) -> String { isVisible ? "● " : "○ " }

  private func choose(structure answer: String) -> [Effect] {
    if answer == "add" { return [askStructure] }
    guard let index = Int(answer) else { return [] }
    if index < 0 {
      viewer.changeStructures { $0.isFirstVisible.toggle() }
      return viewer.showAllUnlessAimed()
    }
    guard let structure = scene.structures.others[safe: index] else { return [] }
    var choices = [ChoiceRequest.Choice(id: Change.toggle.rawValue, title: structure.isVisible ? "Hide" : "Show")]
    choices.append(.init(id: Change.superpose.rawValue, title: "Superpose on the first", detail: "by sequence"))
    if structure.motion != nil {
      choices.append(.init(id: Change.release.rawValue, title: "Restore its own position"))
    }
    choices.append(.init(id: Change.single.rawValue, title: "Color with one color"))
    choices += ColorScheme.allCases.map {
      .init(id: Self.schemePrefix + $0.rawValue, title: "Color by \($0.title)")
    }
    choices.append(.init(id: Change.remove.rawValue, title: "Remove from the view"))
    return [viewer.choose(ChoiceRequest(structure.name, choices: choices)) { $0.sheets.change(index, $1) }]
  }

  /// The changes of a structure that the sheet offers, besides a color scheme.
  private enum Change: String {
    case toggle, superpose, release, single, remove
  }

  /// The id of a color scheme in the sheet begins with this.
  private static let schemePrefix = "scheme:"

  private func change(_ index: Int, _ answer: String) -> [Effect] {
    guard let known = Change(rawValue: answer) else {
      guard let scheme = ColorScheme(rawValue: String(answer.dropFirst(Self.schemePrefix.count))) else { return [] }
      change(index) { $0.coloring = .scheme(scheme) }
      return viewer.render()
    }
    switch known {
    case .toggle:
      change(index) { $0.isVisible.toggle() }
      return viewer.showAllUnlessAimed()
    case .superpose: return superpose(index)
    case .release:
      change(index) { $0.motion = nil }
      return viewer.showAllAgain()
    case .single: change(index) { $0.coloring = .single }
    case .remove:
      viewer.changeStructures { $0.remove(at: index) }
      return viewer.showAllUnlessAimed()
    }
    return viewer.render()
  }

  private func change(_ index: Int, _ change: (inout ShownStructure) -> Void) {
    viewer.changeStructures { $0.change(at: index, change) }
  }

  private func superpose(_ index: Int) -> [Effect] {
    guard let structure = scene.structures.others[safe: index], let first = scene.place else { return [] }
    return [
      .run(
        structure.superposing, command: "superpose",
        arguments: ["molecule": .text(structure.place.word), "onto": .text(first.word)])
    ]
  }

  /// Applies the result of the command that superposes a structure.
  func superposed(_ id: EffectID, _ value: Value) -> [Effect] {
    guard let index = scene.structures.others.firstIndex(where: { $0.superposing == id }),
      let motion = Transform(rotation: value["rotation"], translation: value["translation"])
    else { return [] }
    change(index) { $0.motion = motion }
    let fit = value["rmsd"].number.map { "\(($0 * 1000).rounded() / 1000) Å" } ?? ""
    let text = "superposed on the first: RMSD \(fit) over \(value["atoms"].integer ?? 0) atoms"
    return [.status(Diagnostic(.note, code: "molecules.superposed", text))]
      + viewer.showAllAgain()
  }

  // MARK: Sessions

  /// Asks for the file to save a session in.
  var askToSave: Effect {
    guard let molecule = scene.molecule, scene.place != nil else {
      return .status(Diagnostic(.note, code: "molecules.nothing-shown", "there is no molecule to save"))
    }
    let code = molecule.structure.metadata.entryID.lowercased()
    let name = SessionCommands.named(code.isEmpty ? "molecules" : code)
    return viewer.ask(PromptRequest("File name of the session", text: name)) { [loading] _, answer in
      let name = answer.trimmed()
      return name.isEmpty ? [] : loading.saveSession(as: name)
    }
  }

  /// Asks for the session to open.
  var askToOpen: Effect {
    viewer.ask(PromptRequest("Path of the session to open")) { [loading] _, answer in
      let path = answer.trimmed()
      return path.isEmpty ? [] : loading.openSession(path)
    }
  }
}

extension ShownStructure {
  /// The id of the command that superposes it.
  fileprivate var superposing: EffectID { EffectID("superpose-\(number)") }
}

extension MoleculePlace {
  /// The argument that identifies it in commands.
  fileprivate var word: String {
    switch self {
    case .library(let id): "\(id)"
    case .file(let path): path
    }
  }
}

extension RenderMode {
  /// A short description.
  fileprivate var summary: String {
    switch self {
    case .ballAndStick: "small atoms, bonds as sticks"
    case .spacefilling: "atoms at their van der Waals radius"
    case .cylinders: "bonds only"
    case .sticks: "bonds as thick as atoms"
    case .backbone: "a line along each chain"
    case .cartoon: "helices, strands and bases"
    case .surface: "the solvent-excluded surface"
    }
  }
}
