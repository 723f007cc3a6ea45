/// The names that drawings show in limited space.
enum ShownNames {
  /// Returns the name of a node as drawings show it: carrier molecules by their short names.
  static func name(_ node: GraphNode) -> String { short(node) ?? node.label }

  /// Returns the short name of a carrier molecule; nil for all other nodes.
  static func short(_ node: GraphNode) -> String? {
    node.kind == .pool ? CarrierMolecules.shortName(node) : nil
  }

  /// Returns the texts to draw for names, such that different names look different even if truncated.
  ///
  /// Names that would look equal keep their beginning and end. If that does not help, ids replace them, or they are
  /// numbered.
  /// - Parameters:
  ///   - ids: The id of each.
  ///   - mark: The ellipsis for omitted text.
  ///   - seen: The visible part of a text in place of a name, given the index of the name.
  static func distinct<Seen: Hashable>(
    _ names: [String], ids: [String], mark: String = "…", seen: (Int, String) -> Seen
  ) -> [String] {
    var result = names
    var order: [Seen] = []
    var groups: [Seen: [Int]] = [:]
    for index in names.indices {
      let key = seen(index, names[index])
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(index)
    }
    var taken = Set(order)
    for key in order {
      guard let group = groups[key], group.contains(where: { names[$0] != names[group[0]] }) else { continue }
      for form in forms(group, names, ids, mark) {
        var nameOfSeen: [Seen: String] = [:]
        let isApart = group.allSatisfy { index in
          let new = seen(index, form(index))
          if taken.contains(new) { return false }
          return nameOfSeen.updateValue(names[index], forKey: new).map { $0 == names[index] } ?? true
        }
        guard isApart else { continue }
        taken.formUnion(nameOfSeen.keys)
        for index in group { result[index] = form(index) }
        break
      }
    }
    return result
  }

  /// Returns the forms of a group's names, the best first.
  private static func forms(
    _ group: [Int], _ names: [String], _ ids: [String], _ mark: String
  ) -> [(Int) -> String] {
    var numbers: [String: Int] = [:]
    for index in group where numbers[names[index]] == nil { numbers[names[index]] = numbers.count + 1 }
    let fixed = numbers
    func numbered(_ index: Int) -> String { "\(fixed[names[index], default: 0]) \(names[index])" }
    var forms: [(Int) -> String] = []
    for length in [48, 36, 28, 22, 16, 12] { forms.append { middle(names[$0], length: length, mark) } }
    forms.append { ids[$0] }
    forms.append(numbered)
    return forms
  }

  /// Returns the beginning and end of a name, with a number of characters in total.
  private static func middle(_ name: String, length: Int, _ mark: String) -> String {
    if name.count <= length { return name }
    return String(name.prefix(length - length / 2 - 1)) + mark + String(name.suffix(length / 2))
  }
}
