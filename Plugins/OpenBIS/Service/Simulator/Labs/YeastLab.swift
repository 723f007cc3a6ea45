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
        ])
    })

  private static func entity(
    _ type: (code: String, header: String, count: Int), _ number: Int, _ place: Int, _ chance: inout SimulatedChance
  ) -> SimulatedEntity {
    let code = "\(type.code.prefix(3))\(number)"
    let permID = ListedLab.nativePermID(place)
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
    entity.native = .init(permID: permID, code: code, typeCode: type.code, experiment: place % 2)
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
      join(yeasts[(position - 1) / 2], yeasts[position])
      if position % 5 == 0 { join(plasmids[position % plasmids.count], yeasts[position]) }
    }
  }
}
