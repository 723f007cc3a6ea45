import PluginText

/// A lab whose entities are held in a list.
struct ListedLab: SimulatedLab {
  let shape: SimulatorShape
  let categories: [SimulatedCategory]
  let frame: SimulatedFrame
  private let entities: [SimulatedEntity]
  private let groups: [[Int]]
  private let places: [String: Int]
  private let nativePlaces: [String: Int]

  /// Creates a lab.
  ///
  /// - Parameter groups: The indices of the entities in each category.
  init(
    _ shape: SimulatorShape, _ categories: [SimulatedCategory], _ frame: SimulatedFrame, _ entities: [SimulatedEntity],
    groups: [[Int]]
  ) {
    (self.shape, self.categories, self.frame, self.entities, self.groups) = (shape, categories, frame, entities, groups)
    places = Dictionary(entities.enumerated().map { ($1.permID, $0) }, uniquingKeysWith: { first, _ in first })
    nativePlaces = Dictionary(
      entities.enumerated().map { ($1.native.permID, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var count: Int { entities.count }
  func entity(_ index: Int) -> SimulatedEntity { entities[index] }
  func modified(_ index: Int) -> Int { entities[index].modified }
  func nativePermID(_ index: Int) -> String { entities[index].native.permID }
  func index(ofPermID permID: String) -> Int? { places[permID] }
  func index(ofNativePermID permID: String) -> Int? { nativePlaces[permID] }
  func members(of category: Int) -> SimulatedIndexes { .list(groups[category]) }
}

extension ListedLab {
  /// Creates the lab of a shape.
  static func make(_ shape: SimulatorShape, seed: UInt64) -> ListedLab {
    switch shape {
    case .demo, .plain: DemoLab.make(seed: seed)
    case .yeastlab: YeastLab.make(seed: seed)
    case .tagBrowser: TagLab.make(seed: seed)
    }
  }

  /// Returns the V3 id of the entity at an index.
  static func nativePermID(_ index: Int) -> String { "20130115094021737-\(index + 1)" }
}

/// The shape of the demonstration: 43 targets, 204 compounds, 319 probes that each join a target and a compound.
enum DemoLab {
  static let targetCount = 43
  static let compoundCount = 204
  static let probeCount = 319

  static func make(seed: UInt64) -> ListedLab {
    var chance = SimulatedChance(seed, 5)
    var entities: [SimulatedEntity] = []
    for index in 0..<targetCount { entities.append(target(index, &chance)) }
    for index in 0..<compoundCount { entities.append(compound(index, &chance)) }
    for index in 0..<probeCount { addProbe(index, &entities, &chance) }
    return ListedLab(
      .demo,
      [
        category("TARGETS AND COMPOUNDS", "Targets and Compounds"),
        category("PROBES", "Probes"),
      ],
      frame, entities,
      groups: [Array(0..<targetCount + compoundCount), Array((targetCount + compoundCount)..<entities.count)])
  }

  private static func category(_ permID: String, _ header: String) -> SimulatedCategory {
    SimulatedCategory(
      permID: permID, category: "Navigation", header: header,
      refcon: #"{"code":"\#(permID)","entityKind":"NAVIGATION","entityType":"NAVIGATION"}"#)
  }

  private static let frame = SimulatedFrame.usual(
    spaces: ["5HT", "DEFAULT"],
    sampleTypes: [
      .init(
        code: "5HT_TARGET", description: "A receptor",
        properties: [.init(code: "DESC", label: "Description"), .init(code: "GENE", label: "Gene")] + odd),
      .init(
        code: "5HT_COMPOUND", description: "A small molecule",
        properties: [
          .init(code: "FORMULA", label: "Formula"), .init(code: "WEIGHT", label: "Molecular weight", dataType: "REAL"),
          .init(code: "SMILES", label: "SMILES"),
        ] + odd),
      .init(
        code: "5HT_PROBE", description: "A compound bound to a target",
        properties: [
          .init(code: "DESC", label: "Description"), .init(code: "AFFINITY", label: "Affinity", dataType: "REAL"),
        ]),
    ])

  private static let odd = [
    SimulatedFrame.PropertyType(code: "VERY_LONG", label: "A very long property", dataType: "MULTILINE_VARCHAR"),
    SimulatedFrame.PropertyType(code: "UNICODE", label: "A property with accents"),
  ]

  /// Returns two properties of every material that test lists and tables.
  private static func oddProperties(_ chance: inout SimulatedChance) -> [SimulatedEntity.Property] {
    [
      .init("VERY_LONG", "A very long property", (0..<24).map { _ in chance.sentence(9) + "." }.joined(separator: " ")),
      .init("UNICODE", "A property with accents", "A pröperty wïth accents."),
    ]
  }

  private static func material(_ code: String, _ type: String, _ index: Int) -> SimulatedEntity {
    var entity = SimulatedEntity(
      permID: "\(code) (\(type))", refcon: #"{"code":"\#(code)","entityKind":"MATERIAL","entityType":"\#(type)"}"#,
      category: "", header: code, summary: "", identifier: "\(code) (\(type))")
    entity.native = .init(permID: ListedLab.nativePermID(index), code: code, typeCode: type, experiment: 0)
    return entity
  }

  private static func target(_ index: Int, _ chance: inout SimulatedChance) -> SimulatedEntity {
    let code = "P\(10_000 + index * 137 + chance.below(100))"
    var entity = material(code, "5HT_TARGET", index)
    entity.category = "Targets"
    entity.summary = chance.sentence(5) + " receptor \(1 + index % 7)"
    entity.properties =
      [
        .init("DESC", "Description", entity.summary),
        .init("GENE", "Gene", "HTR\(1 + index % 7)\(["A", "B", "C", "D"][index % 4])"),
      ] + oddProperties(&chance)
    entity.image = index % 5 == 0 ? .inline(UInt64(index)) : .empty
    return entity
  }

  private static func compound(_ index: Int, _ chance: inout SimulatedChance) -> SimulatedEntity {
    var entity = material("SYN\(200_000 + index * 331)", "5HT_COMPOUND", targetCount + index)
    entity.category = "Compounds"
    let carbon = 8 + chance.below(20)
    entity.summary = "C\(carbon)H\(carbon + chance.below(14))N\(1 + chance.below(4))O\(1 + chance.below(5))"
    entity.properties =
      [
        .init("FORMULA", "Formula", entity.summary),
        .init("WEIGHT", "Molecular weight", "\(140 + chance.below(400)).\(chance.below(90) + 10)"),
        .init("SMILES", "SMILES", String(repeating: "C", count: carbon % 7 + 1) + "N1CCCCC1"),
      ] + oddProperties(&chance)
    entity.image = index % 11 == 3 ? .null : .path("/images/molecule/\(index).png")
    return entity
  }

  private static func addProbe(
    _ index: Int, _ entities: inout [SimulatedEntity], _ chance: inout SimulatedChance
  ) {
    let probeIndex = targetCount + compoundCount + index
    let target = chance.below(targetCount)
    let compound = targetCount + chance.below(compoundCount)
    let permID = ListedLab.nativePermID(probeIndex)
    let code = "PROBE-\(index + 1)"
    var probe = SimulatedEntity(
      permID: permID,
      refcon: #"{"code":"\#(code)","entityKind":"SAMPLE","entityType":"5HT_PROBE","identifier":"/5HT/\#(code)"}"#,
      category: "Probes", header: code, summary: chance.sentence(6), identifier: "/5HT/\(code)")
    // Some compounds were never filled in.
    let hasCompound = index % 53 != 7
    probe.children = [entities[target].permID, hasCompound ? entities[compound].permID : nil]
    probe.properties = [
      .init("DESC", "Description", probe.summary),
      .init("AFFINITY", "Affinity", "\(chance.below(900) + 1).5"),
    ]
    probe.image =
      index % 10 == 4
      ? .tiled(dataStorePath(index), (1...3).map { dataStorePath(index * 4 + $0) }) : .path(dataStorePath(index))
    probe.registered += index * 1000
    probe.modified = probe.registered
    probe.native = .init(
      permID: permID, code: code, typeCode: "5HT_PROBE", experiment: 1,
      parents: hasCompound ? [target, compound] : [target])
    for parent in probe.native.parents { entities[parent].native.children.append(probeIndex) }
    entities.append(probe)
  }

  private static func dataStorePath(_ number: Int) -> String {
    "/datastore_server/DSS1/original/images/\(number).jpg"
  }
}

/// The shape of a yeast laboratory: twelve categories, properties with tables in HTML, pictures as SVG.
enum YeastLab {
  /// The categories, with the number of entities in each.
  static let types: [(code: String, header: String, count: Int)] = [
    ("OLIGO", "Oligos", 40), ("ANTIBODY", "Antibodies", 24), ("CHEMICAL", "Chemicals", 36),
    ("GENERAL_PROTOCOL", "General Protocols", 12), ("MEDIA", "Media", 16), ("PCR", "PCRs", 20),
    ("SOLUTIONS_BUFFERS", "Solutions and Buffers", 28), ("PLASMID", "Plasmids", 48), ("YEAST", "Yeasts", 60),
    ("BACTERIA", "Bacteria", 30), ("ENZYME", "Enzymes", 18), ("WESTERN_BLOTTING", "Western Blottings", 14),
  ]

  static func make(seed: UInt64) -> ListedLab {
    var chance = SimulatedChance(seed, 12)
    var entities: [SimulatedEntity] = []
    var groups: [[Int]] = []
    for type in types {
      groups.append(Array(entities.count..<(entities.count + type.count)))
      for number in 1...type.count { entities.append(entity(type, number, entities.count, &chance)) }
    }
    relate(&entities, groups)
    // Plasmids and yeasts are found together, whichever was requested.
    let both = groups[7] + groups[8]
    (groups[7], groups[8]) = (both, both)
    return ListedLab(.yeastlab, categories, frame, entities, groups: groups)
  }

  private static let categories = types.map { type in
    SimulatedCategory(
      permID: type.code, category: "", header: type.header,
      refcon: #"{"code":"\#(type.code)","entityKind":"NAVIGATION","entityType":"NAVIGATION"}"#)
  }

  private static let frame = SimulatedFrame.usual(
    spaces: ["YEAST_LAB", "METHODS"],
    sampleTypes: types.map { type in
      .init(
        code: type.code, description: type.header,
        properties: [
          .init(code: "NAME", label: "Name"), .init(code: "OWNER", label: "Owner"),
          .init(code: "COMMENTS", label: "Comments", dataType: "XML"),
        ] + (type.code == "YEAST" ? yeastProperties : []))
    })

  /// The properties of yeasts in the formats of V3 and the ELN: a vocabulary's term, a sample, a spreadsheet.
  private static let yeastProperties: [SimulatedFrame.PropertyType] = [
    .init(
      code: "STORAGE", label: "Storage", dataType: "CONTROLLEDVOCABULARY",
      terms: [.init(code: "MINUS_80", label: "Freezer, −80 °C"), .init(code: "COLD_ROOM", label: "Cold room, 4 °C")]),
    .init(code: "DERIVED_FROM", label: "Derived from", dataType: "SAMPLE"),
    .init(code: "GROWTH", label: "Growth", dataType: "XML"),
  ]

  /// Returns the value of a spreadsheet as the ELN stores it, with a formula and its result.
  private static func spreadsheet(_ number: Int) -> String {
    let sheet = """
      {"headers":["Hours","OD600"],"data":[["0","0.\(number)"],["8","=B1*2"]],\
      "values":[["0","0.\(number)"],["8","0.\(2 * number)"]],"style":{},"meta":null,"width":["50","50"]}
      """
    return "<DATA>\(Base64.text(Array(sheet.utf8)))</DATA>"
  }

  private static func entity(
    _ type: (code: String, header: String, count: Int), _ number: Int, _ index: Int, _ chance: inout SimulatedChance
  ) -> SimulatedEntity {
    let code = "\(type.code.prefix(3))\(number)"
    let permID = ListedLab.nativePermID(index)
    var entity = SimulatedEntity(
      permID: permID,
      refcon:
        #"{"code":"\#(code)","entityKind":"SAMPLE","entityType":"\#(type.code)","identifier":"/YEAST_LAB/\#(code)"}"#,
      category: type.header, header: code, summary: chance.sentence(4), identifier: "/YEAST_LAB/\(code)")
    entity.isRoot = true
    entity.properties = [
      .init("NAME", "Name", entity.summary),
      .init("OWNER", "Owner", number % 9 == 0 ? nil : chance.pick(["Alder", "Birch", "Cedar", "Rowan"])),
      .init("COMMENTS", "Comments", number % 3 == 0 ? "-" : commentTable(&chance)),
    ]
    if type.code == "PLASMID" { entity.image = .path("/datastore_server/DSS1/original/plasmids/\(number).svg") }
    if type.code == "WESTERN_BLOTTING" { entity.image = .path("/datastore_server/DSS1/original/gels/\(number).png") }
    entity.native = .init(permID: permID, code: code, typeCode: type.code, experiment: index % 2)
    if type.code == "YEAST" {
      entity.native.properties = [
        .init("STORAGE", "Storage", number % 4 == 0 ? "COLD_ROOM" : "MINUS_80"),
        .init("GROWTH", "Growth", spreadsheet(100 + number)),
      ]
    }
    return entity
  }

  private static func commentTable(_ chance: inout SimulatedChance) -> String {
    let rows = (0...chance.below(3)).map { _ in
      "<tr><td>2012-11-\(10 + chance.below(20))</td><td>\(chance.sentence(5))</td></tr>"
    }
    return "<html><table><tr><th>Date</th><th>Comment</th></tr>\(rows.joined())</table></html>"
  }

  /// Relates entities: yeasts come from yeasts and plasmids, plasmids from plasmids.
  private static func relate(_ entities: inout [SimulatedEntity], _ groups: [[Int]]) {
    let plasmids = groups[7]
    let yeasts = groups[8]
    func join(_ parent: Int, _ child: Int) {
      entities[parent].native.children.append(child)
      entities[child].native.parents.append(parent)
      entities[child].children.append(entities[parent].permID)
    }
    for position in plasmids.indices where position % 4 != 0 { join(plasmids[position / 4 * 4], plasmids[position]) }
    for position in yeasts.indices where position > 0 {
      let parent = yeasts[(position - 1) / 2]
      join(parent, yeasts[position])
      entities[yeasts[position]].native.properties.append(
        .init("DERIVED_FROM", "Derived from", entities[parent].native.permID))
      if position % 5 == 0 { join(plasmids[position % plasmids.count], yeasts[position]) }
    }
  }
}

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
      let index = entities.count
      var dataSet = entity("DATA_SET", "DATA_SET.\(ListedLab.nativePermID(index)).\(tag)", index, &chance)
      dataSet.children = [sampleID(number)]
      dataSet.native.kind = .dataSet
      entities.append(dataSet)
    }
    for number in 0..<experimentCount {
      let index = entities.count
      var experiment = entity("EXPERIMENT", "EXPERIMENT.\(ListedLab.nativePermID(index)).\(tag)", index, &chance)
      experiment.children = (0..<6).map { sampleID(number * 6 + $0) }
      experiment.isRoot = true
      experiment.native.kind = .experiment
      entities.append(experiment)
    }
  }

  private static func entity(
    _ kind: String, _ permID: String, _ index: Int, _ chance: inout SimulatedChance
  ) -> SimulatedEntity {
    let native = ListedLab.nativePermID(index)
    let code = "\(kind.prefix(1))\(index + 1)"
    var entity = SimulatedEntity(
      permID: permID, refcon: #"{"ENTITY_TYPE":"\#(kind)","PERM_ID":"\#(native)"}"#,
      category: kind == "SAMPLE" ? "Samples" : kind == "DATA_SET" ? "Data Sets" : "Experiments", header: code,
      summary: chance.sentence(4), identifier: "/TAGGED/PROJECT_1/\(code)")
    entity.properties = [
      .init("#PERM_ID", "Perm ID", native), .init("NAME", "Name", entity.summary),
      .init("NOTE", "Note", "first line\nsecond line"),
    ]
    entity.image = index % 4 == 0 ? .path("/images/gel/\(index).png") : .none
    entity.native = .init(permID: native, code: code, typeCode: "THING", experiment: index % 2)
    return entity
  }
}
