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

  private static func material(_ code: String, _ type: String, _ place: Int) -> SimulatedEntity {
    var entity = SimulatedEntity(
      permID: "\(code) (\(type))", refcon: #"{"code":"\#(code)","entityKind":"MATERIAL","entityType":"\#(type)"}"#,
      category: "", header: code, summary: "", identifier: "\(code) (\(type))")
    entity.native = .init(permID: ListedLab.nativePermID(place), code: code, typeCode: type, experiment: 0)
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
    let place = targetCount + compoundCount + index
    let target = chance.below(targetCount)
    let compound = targetCount + chance.below(compoundCount)
    let permID = ListedLab.nativePermID(place)
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
    for parent in probe.native.parents { entities[parent].native.children.append(place) }
    entities.append(probe)
  }

  private static func dataStorePath(_ number: Int) -> String {
    "/datastore_server/DSS1/original/images/\(number).jpg"
  }
}
