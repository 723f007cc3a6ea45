import PluginAPI

extension ViewerController {
  static let selectionPrompt: EffectID = "selection"
  static let setPrompt: EffectID = "selection-name"
  static let setSheet: EffectID = "selection-set"

  /// Asks for a selection, starting with the current one.
  func askSelection(_ text: String? = nil, saying fault: String? = nil) -> [Effect] {
    [.ask(Self.selectionPrompt, PromptRequest(fault ?? "Select", text: text ?? selection.text))]
  }

  /// Shows a selection; a malformed one is asked for again, with the error.
  func select(_ text: String?) -> [Effect] {
    guard let text else { return [] }
    do {
      let before = selection.version
      try selection.show(text)
      return selection.version == before ? [] : render(isMoving: false)
    } catch {
      return askSelection(text, saying: "Select: \(error.message); \(error.advice)")
    }
  }

  /// Clears the selection.
  func clearSelection() -> [Effect] {
    guard selection.shown != nil else { return [] }
    selection.clear()
    return render(isMoving: false)
  }

  /// Asks for the name of the selection.
  func askSetName() -> [Effect] {
    guard selection.shown != nil else {
      return [.status(Self.note("nothing is selected", advice: "press / to select"))]
    }
    return [.ask(Self.setPrompt, PromptRequest("Keep the selection under the name"))]
  }

  func keepSelection(as name: String?) -> [Effect] {
    guard let name, !name.allSatisfy(\.isWhitespace) else { return [] }
    do {
      try selection.keep(as: name)
      return []
    } catch {
      return [.status(Self.note(error.message, advice: error.advice))]
    }
  }

  /// Asks which of the named selections to show.
  func chooseSet() -> [Effect] {
    let sets = selection.sets.definitions
    guard !sets.isEmpty else {
      return [.status(Self.note("no selection is kept by name", advice: "select, then keep it from the palette"))]
    }
    let choices = sets.map { ChoiceRequest.Choice(id: $0.name, title: $0.name, detail: $0.text) }
    return [.choose(Self.setSheet, ChoiceRequest("Select", choices: choices))]
  }

  /// The selection's part of the status line.
  var selectionStatus: [String] {
    guard selection.shown != nil, let count = prepared?.selected, prepared?.key.selection == selection.version else {
      return []
    }
    if count.atoms == 0 { return ["'\(selection.text)' selects nothing here"] }
    let atoms = "\(count.atoms) \(count.atoms == 1 ? "atom" : "atoms")"
    let residues = "\(count.residues) \(count.residues == 1 ? "residue" : "residues")"
    return ["selected \(atoms) of \(residues)"]
  }

  private static func note(_ message: String, advice: String) -> Diagnostic {
    Diagnostic(.note, code: "molecules.selection-note", message, advice: advice)
  }
}
