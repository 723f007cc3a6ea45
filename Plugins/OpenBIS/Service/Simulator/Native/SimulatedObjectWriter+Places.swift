extension SimulatedObjectWriter {
  mutating func person(_ name: StaticString, _ fetch: SimulatedFetch?) {
    buffer.add(name)
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.person.Person", .person, 0, fetch) else { return }
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.person.id.PersonPermId", #","permId":"#, "keeper")
    field(#","userId":"#, "keeper")
    buffer.add(
      #","firstName":"Kim","lastName":"Keeper","email":"keeper@example.org","registrationDate":1704110400000,"active":true,"space":null,"roleAssignments":null,"registrator":null,"webAppSettings":null}"#
    )
  }

  mutating func people(_ fetch: SimulatedFetch) {
    person(#","registrator":"#, fetch.registrator)
    person(#","modifier":"#, fetch.modifier)
  }

  mutating func dates(_ registered: Int = SimulatedTime.birth, _ modified: Int = SimulatedTime.birth) {
    field(#","registrationDate":"#, registered)
    field(#","modificationDate":"#, modified)
  }

  mutating func space(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.space.Space", .space, index, fetch) else { return }
    let code = view.frame.spaces[index]
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.space.id.SpacePermId", #","permId":"#, code)
    field(#","code":"#, code)
    field(#","description":"#, "The things of \(code)")
    buffer.add(#","frozen":false,"frozenForProjects":false,"frozenForSamples":false"#)
    dates()
    person(#","registrator":"#, fetch.registrator)
    if let projects = fetch["projects"] {
      buffer.add(#","projects":["#)
      let all = view.frame.projects.indices.filter { view.frame.projects[$0].space == index }
      for (position, place) in all.enumerated() {
        if position > 0 { buffer.add(",") }
        project(place, projects)
      }
      buffer.add(#"],"samples":null}"#)
    } else {
      buffer.add(#","samples":null,"projects":null}"#)
    }
  }

  mutating func project(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.project.Project", .project, index, fetch) else { return }
    let frame = view.frame
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.project.id.ProjectPermId", #","permId":"#, frame.projects[index].permID)
    id(
      #","identifier":"#, "as.dto.project.id.ProjectIdentifier", #","identifier":"#, frame.identifier(ofProject: index))
    field(#","code":"#, frame.projects[index].code)
    field(#","description":"#, "Work of \(frame.projects[index].code)")
    buffer.add(#","frozen":false,"frozenForExperiments":false,"frozenForSamples":false"#)
    dates(SimulatedTime.birth, view.changes.movedProjects[index]?.at ?? SimulatedTime.birth)
    buffer.add(#","experiments":null,"samples":null,"space":"#)
    space(frame.projects[index].space, fetch.space)
    people(fetch)
    buffer.add(#","leader":null,"attachments":null,"history":null}"#)
  }

  mutating func experiment(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.experiment.Experiment", .experiment, index, fetch) else { return }
    let frame = view.frame
    let experiment = frame.experiments[index]
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.experiment.id.ExperimentPermId", #","permId":"#, experiment.permID)
    id(
      #","identifier":"#, "as.dto.experiment.id.ExperimentIdentifier", #","identifier":"#,
      frame.identifier(ofExperiment: index))
    field(#","code":"#, experiment.code)
    buffer.add(#","frozen":false,"frozenForDataSets":false,"frozenForSamples":false"#)
    dates()
    buffer.add(#","type":"#)
    experimentType(0, fetch.type)
    buffer.add(#","project":"#)
    project(experiment.project, fetch.project)
    buffer.add(#","dataSets":null,"samples":null"#)
    if fetch.hasProperties {
      field(#","properties":{"$NAME":"#, "Collection \(index + 1)")
      buffer.add("}")
    } else {
      buffer.add(#","properties":null"#)
    }
    buffer.add(#","materialProperties":null,"history":null,"tags":"#)
    buffer.add(fetch["tags"] == nil ? "null" : "[]")
    people(fetch)
    buffer.add(#","attachments":null,"metaData":{}}"#)
  }
}
