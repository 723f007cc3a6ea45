import PluginAPI
import PluginText

/// The data of an object that search criteria examine.
struct SimulatedSubject {
  var code = ""
  var permID = ""
  var identifier = ""
  var modified = SimulatedTime.birth
  var registered = SimulatedTime.birth
  /// The values by property code.
  var properties: [String: String] = [:]
  /// All texts of the object.
  var texts: [String] = []
}

/// The search criteria of a V3 call, parsed once and matched against many objects.
indirect enum SimulatedCriterion {
  case always
  case all([SimulatedCriterion])
  case any([SimulatedCriterion])
  case none(SimulatedCriterion)
  case code(SimulatedMatch)
  case permID(SimulatedMatch)
  case identifier(SimulatedMatch)
  case property(String, SimulatedMatch)
  case anyText(SimulatedMatch)
  case names(Set<String>)
  case modified(SimulatedDateMatch)
  case registered(SimulatedDateMatch)
  case type(SimulatedCriterion)
  case space(SimulatedCriterion)
  case project(SimulatedCriterion)
  case experiment(SimulatedCriterion)
  case sample(SimulatedCriterion)
  case parents(SimulatedCriterion)
  case children(SimulatedCriterion)

  /// Parses criteria; `kind` is the kind of the results, such as `Sample`.
  init(_ value: Value, of kind: String) {
    let name = value["@type"].text?.split(separator: ".").last.map(String.init) ?? ""
    let criterion = Self.leaf(name, value) ?? Self.group(name, value, kind)
    self = value["negated"].bool == true ? .none(criterion) : criterion
  }

  private static func leaf(_ name: String, _ value: Value) -> SimulatedCriterion? {
    switch name {
    case "CodeSearchCriteria": .code(.init(value["fieldValue"]))
    case "CodesSearchCriteria", "IdsSearchCriteria": .names(names(value["fieldValue"]).union(names(value["ids"])))
    case "PermIdSearchCriteria": .permID(.init(value["fieldValue"]))
    case "IdentifierSearchCriteria": .identifier(.init(value["fieldValue"]))
    case "IdSearchCriteria": .names(names(value["id"]))
    case "AnyFieldSearchCriteria", "AnyPropertySearchCriteria": .anyText(.init(value["fieldValue"]))
    case "GlobalSearchTextCriteria": anyWord(value["fieldValue"])
    case "StringPropertySearchCriteria", "PropertySearchCriteria":
      .property(value["fieldName"].text ?? "", .init(value["fieldValue"]))
    case "ModificationDateSearchCriteria": .modified(.init(value["fieldValue"]))
    case "RegistrationDateSearchCriteria": .registered(.init(value["fieldValue"]))
    default: nil
    }
  }

  /// Returns the criterion for a text of the global search, which matches any of its words.
  ///
  /// - Source: openBIS, `GlobalSearchTextCriteria.thatContains`.
  private static func anyWord(_ value: Value) -> SimulatedCriterion {
    guard value["@type"].text?.hasSuffix("StringContainsValue") == true, var part = value.record else {
      return .anyText(.init(value))
    }
    let terms = (value["value"].text ?? "").split(separator: " ")
    return .any(
      terms.map { word in
        part["value"] = .text(String(word))
        return .anyText(.init(.record(part)))
      })
  }

  private static func names(_ value: Value) -> Set<String> {
    if let list = value.list { return list.reduce(into: []) { $0.formUnion(names($1)) } }
    return Set([value.text, value["permId"].text, value["identifier"].text, value["code"].text].compactMap { $0 })
  }

  private static func group(_ name: String, _ value: Value, _ kind: String) -> SimulatedCriterion {
    let parts = value["criteria"].list ?? []
    func group(of inner: String) -> SimulatedCriterion {
      if parts.isEmpty { return .always }
      let all = parts.map { SimulatedCriterion($0, of: inner) }
      return value["operator"].text == "OR" ? .any(all) : .all(all)
    }
    let target = name.hasSuffix("SearchCriteria") ? String(name.dropLast(14)) : name
    return switch target {
    case kind, "Global": group(of: kind)
    case "SampleType", "ExperimentType", "DataSetType", "EntityType": .type(group(of: target))
    case "Space": .space(group(of: target))
    case "Project": .project(group(of: target))
    case "Experiment": .experiment(group(of: target))
    case "Sample": .sample(group(of: target))
    case "SampleParents": .parents(group(of: "Sample"))
    case "SampleChildren": .children(group(of: "Sample"))
    // No object of a simulated lab has these.
    case "SampleContainer", "DataSetContainer", "DataSetParents": .none(.always)
    default: parts.isEmpty ? .always : group(of: kind)
    }
  }

  /// Returns true if an object of a lab matches; `about` returns related objects.
  func holds(for subject: SimulatedSubject, _ about: (Relation) -> [SimulatedSubject]) -> Bool {
    func related(_ relation: Relation, _ criterion: SimulatedCriterion) -> Bool {
      about(relation).contains { criterion.holds(for: $0) { _ in [] } }
    }
    return switch self {
    case .always: true
    case .all(let parts): parts.allSatisfy { $0.holds(for: subject, about) }
    case .any(let parts): parts.contains { $0.holds(for: subject, about) }
    case .none(let part): !part.holds(for: subject, about)
    case .code(let match): match.holds(for: subject.code)
    case .permID(let match): match.holds(for: subject.permID)
    case .identifier(let match): match.holds(for: subject.identifier)
    case .property(let name, let match): subject.properties[name].map { match.holds(for: $0) } ?? false
    case .anyText(let match): (subject.texts + [subject.code]).contains { match.holds(for: $0) }
    case .names(let names):
      names.contains(subject.permID) || names.contains(subject.identifier) || names.contains(subject.code)
    case .modified(let match): match.holds(for: subject.modified)
    case .registered(let match): match.holds(for: subject.registered)
    case .type(let part): related(.type, part)
    case .space(let part): related(.space, part)
    case .project(let part): related(.project, part)
    case .experiment(let part): related(.experiment, part)
    case .sample(let part): related(.sample, part)
    case .parents(let part): related(.parents, part)
    case .children(let part): related(.children, part)
    }
  }

  /// The relations of an object.
  enum Relation { case type, space, project, experiment, sample, parents, children }

  /// Removes conditions on the modification date and on ranges of permIds that apply to the whole search.
  func withoutRanges(
    dates: (SimulatedDateMatch) -> Void, permIDs: (SimulatedMatch) -> Void
  ) -> SimulatedCriterion {
    switch self {
    case .modified(let match):
      dates(match)
      return .always
    case .permID(let match) where match.range != nil:
      permIDs(match)
      return .always
    case .all(let parts):
      let remaining = parts.map { $0.withoutRanges(dates: dates, permIDs: permIDs) }.filter {
        if case .always = $0 { false } else { true }
      }
      return remaining.isEmpty ? .always : remaining.count == 1 ? remaining[0] : .all(remaining)
    case .always, .any, .none, .code, .permID, .identifier, .property, .anyText, .names, .registered, .type, .space,
      .project, .experiment, .sample, .parents, .children:
      return self
    }
  }

  /// The code of the only type that matches, if that is the only condition.
  var onlyType: String? {
    guard case .type(let inner) = self else { return nil }
    if case .all(let parts) = inner, parts.count == 1, case .code(let match) = parts[0] { return match.exact }
    if case .code(let match) = inner { return match.exact }
    return nil
  }
}

/// A condition on a text.
struct SimulatedMatch {
  private let bound: String
  private let pattern: String
  private let how: String

  /// A range of texts in the order of their bytes.
  enum Range { case from, before }

  /// The range of the texts that match; nil for other conditions.
  let range: Range?

  init(_ value: Value) {
    bound = value["value"].text ?? value.text ?? ""
    pattern = bound.lowercased()
    how = value["@type"].text?.split(separator: ".").last.map(String.init) ?? ""
    range =
      switch how {
      case "StringGreaterThanOrEqualToValue": .from
      case "StringLessThanValue": .before
      default: nil
      }
  }

  /// The only text that matches, in upper case, if there is only one.
  var exact: String? {
    how == "StringEqualToValue" && !pattern.contains("*") && !pattern.contains("?") ? pattern.uppercased() : nil
  }

  func holds(for text: String) -> Bool {
    switch range {
    case .from: return text >= bound
    case .before: return text < bound
    case nil: break
    }
    let text = text.lowercased()
    switch how {
    case "AnyStringValue": return true
    case "StringContainsValue", "StringContainsExactlyValue": return ByteSearch.contains(pattern.utf8, in: text.utf8)
    case "StringMatchesValue":
      return pattern.split(separator: " ").allSatisfy { ByteSearch.contains($0.utf8, in: text.utf8) }
    case "StringStartsWithValue": return text.hasPrefix(pattern)
    case "StringEndsWithValue": return text.hasSuffix(pattern)
    default: return pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : text == pattern
    }
  }
}

/// A condition on a time, in milliseconds since 1970; both ends are inclusive.
struct SimulatedDateMatch {
  private(set) var from = Int.min
  private(set) var through = Int.max

  init(_ value: Value) {
    guard let moment = value["value"].integer else { return }
    let how = value["@type"].text ?? ""
    if how.hasSuffix("LaterThanOrEqualToValue") {
      from = moment
    } else if how.hasSuffix("LaterThanValue") {
      from = moment + 1
    } else if how.hasSuffix("EarlierThanOrEqualToValue") {
      through = moment
    } else if how.hasSuffix("EarlierThanValue") {
      through = moment - 1
    } else {
      (from, through) = (moment, moment)
    }
  }

  func holds(for moment: Int) -> Bool { moment >= from && moment <= through }
}
