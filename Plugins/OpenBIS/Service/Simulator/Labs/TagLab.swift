/// The shape of a tag browser: tagged samples, with parents among the children, so that graphs have cycles.
enum TagLab {
  private static let tags = ["favourites", "to do", "übersicht"]
  private static let sampleCount = 24
  private static let dataSetCount = 12
  private static let experimentCount = 4

  static func make(seed: UInt64) -> ListedLab {
    var chance = SimulatedChance(seed, 77)
    var entities: [SimulatedEntity] = []
    var groups: [[Int]] = []
    for tag in tags {
      let start = entities.count
      addAll(of: tag, to: &entities, &chance)
      groups.append(Array(start..<entities.count))
    }
    let categories = tags.map { tag in
      SimulatedCategory(
        permID: "TAG.\(tag)", category: "Tag", header: tag, refcon: #"{"ENTITY_TYPE":"TAG","NAME":"\#(tag)"}"#)
    }
    return ListedLab(.tagBrowser, categories, frame, entities, groups: groups)
  }

  private static let frame = SimulatedFrame.usual(
    spaces: ["TAGGED"],
    sampleTypes: [
      .init(
        code: "THING", description: "Anything",
        properties: [.init(code: "NAME", label: "Name"), .init(code: "NOTE", label: "Note")])
    ])

  /// Adds all entities of a tag.
  ///
  /// Each tag is a context of its own: the same sample is a different entity in each.
  private static func addAll(
    of tag: String, to entities: inout [SimulatedEntity], _ chance: inout SimulatedChance
  ) {
    let start = entities.count
    let sampleID = { (number: Int) in "SAMPLE.\(ListedLab.nativePermID(start + number)).\(tag)" }
    for number in 0..<sampleCount {
      var sample = entity("SAMPLE", sampleID(number), start + number, &chance)
      let parent = number > 0 ? (number - 1) / 2 : nil
      let children = [2 * number + 1, 2 * number + 2].filter { $0 < sampleCount }
      sample.children = (parent.map { [sampleID($0)] } ?? []) + children.map(sampleID)
      sample.isRoot = number % 3 == 0
      sample.native.parents = parent.map { [start + $0] } ?? []
      sample.native.children = children.map { start + $0 }
      entities.append(sample)
    }
    for number in 0..<dataSetCount {
      let place = entities.count
      var dataSet = entity("DATA_SET", "DATA_SET.\(ListedLab.nativePermID(place)).\(tag)", place, &chance)
      dataSet.children = [sampleID(number)]
      dataSet.native.kind = .dataSet
      entities.append(dataSet)
    }
    for number in 0..<experimentCount {
      let place = entities.count
      var experiment = entity("EXPERIMENT", "EXPERIMENT.\(ListedLab.nativePermID(place)).\(tag)", place, &chance)
      experiment.children = (0..<6).map { sampleID(number * 6 + $0) }
      experiment.isRoot = true
      experiment.native.kind = .experiment
      entities.append(experiment)
    }
  }

  private static func entity(
    _ kind: String, _ permID: String, _ place: Int, _ chance: inout SimulatedChance
  ) -> SimulatedEntity {
    let native = ListedLab.nativePermID(place)
    let code = "\(kind.prefix(1))\(place + 1)"
    var entity = SimulatedEntity(
      permID: permID, refcon: #"{"ENTITY_TYPE":"\#(kind)","PERM_ID":"\#(native)"}"#,
      category: kind == "SAMPLE" ? "Samples" : kind == "DATA_SET" ? "Data Sets" : "Experiments", header: code,
      summary: chance.sentence(4), identifier: "/TAGGED/PROJECT_1/\(code)")
    entity.properties = [
      .init("#PERM_ID", "Perm ID", native), .init("NAME", "Name", entity.summary),
      .init("NOTE", "Note", "first line\nsecond line"),
    ]
    entity.image = place % 4 == 0 ? .path("/images/gel/\(place).png") : .none
    entity.native = .init(permID: native, code: code, typeCode: "THING", experiment: place % 2)
    return entity
  }
}
