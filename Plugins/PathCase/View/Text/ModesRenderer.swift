import PluginAPI
import PluginText

/// Renders elementary modes as a tree: the status and number, then each mode with its reactions.
struct ModesRenderer: TextRenderer {
  var typeName: String { PathCaseValueType.modes }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var tree = BranchText(request)
    let count = value["count"].integer ?? 0
    tree.add(
      .init(
        text: "\(value["status"].text ?? ""): \(count) elementary mode\(count == 1 ? "" : "s")", style: .heading,
        branches: (value["modes"].list ?? []).enumerated().map { Self.branch($0.offset, $0.element) }))
    let unused = (value["unused"].list ?? []).compactMap(\.text)
    if !unused.isEmpty {
      tree.add(
        .init(text: "in no mode: " + unused.map { SanitizedText.line($0) }.joined(separator: ", "), style: .secondary))
    }
    return tree.text
  }

  private static func branch(_ index: Int, _ mode: Value) -> BranchText.Branch {
    let terms = (mode["fluxes"].record?.fields ?? []).map { field -> String in
      let amount = field.value.integer ?? 0
      let times = abs(amount) == 1 ? "" : "\(abs(amount)) "
      return (amount < 0 ? "- " : "+ ") + times + SanitizedText.line(field.name)
    }
    let direction = mode["isReversible"].bool == true ? " (both ways)" : ""
    return .init(text: "\(index + 1): \(terms.joined(separator: " "))\(direction)")
  }
}
