import PluginAPI

/// The fetch options of a V3 call as a tree; equal trees are one object.
final class SimulatedFetch {
  let typeName: String
  /// The number of the tree among the distinct trees of a call; objects fetched alike are the same object.
  let number: Int
  private let parts: [String: SimulatedFetch]

  // The options requested of every object.
  let space: SimulatedFetch?
  let project: SimulatedFetch?
  let experiment: SimulatedFetch?
  let type: SimulatedFetch?
  let hasProperties: Bool
  let parents: SimulatedFetch?
  let children: SimulatedFetch?
  let registrator: SimulatedFetch?
  let modifier: SimulatedFetch?
  /// A Boolean value indicating whether the fetched objects can have parents and children.
  let isOfRelatives: Bool

  init(_ typeName: String, number: Int, _ parts: [String: SimulatedFetch]) {
    (self.typeName, self.number, self.parts) = (typeName, number, parts)
    (space, project, experiment, type) = (parts["space"], parts["project"], parts["experiment"], parts["type"])
    (hasProperties, parents, children) = (parts["properties"] != nil, parts["parents"], parts["children"])
    (registrator, modifier) = (parts["registrator"], parts["modifier"])
    isOfRelatives = typeName.hasSuffix(".SampleFetchOptions") || typeName.hasSuffix(".DataSetFetchOptions")
  }

  subscript(name: String) -> SimulatedFetch? { parts[name] }

  /// The names of the fetched members, in order.
  var names: [String] { parts.keys.sorted() }
}

/// A parser of the fetch options of calls.
struct SimulatedFetches {
  private var numbers: [String: SimulatedFetch] = [:]

  /// Parses one value; a value that is not an object becomes options that fetch nothing.
  mutating func read(_ value: Value) -> SimulatedFetch {
    var parts: [String: SimulatedFetch] = [:]
    for field in value.record?.fields ?? [] where field.value.record != nil && field.name != "sort" {
      parts[field.name] = read(field.value)
    }
    let typeName = value["@type"].text ?? ""
    let key = typeName + parts.keys.sorted().map { "|\($0)=\(parts[$0]?.number ?? 0)" }.joined()
    if let known = numbers[key] { return known }
    let fetch = SimulatedFetch(typeName, number: numbers.count + 1, parts)
    numbers[key] = fetch
    return fetch
  }
}
