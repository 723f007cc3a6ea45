-- One task over four domains, as a Lua script. Argument: the address of a sensor.
for _, m in ipairs(wb.molecules.list{}) do
  if m.atoms > 400 then print(m.title .. ": " .. m.atoms .. " atoms") end
end
local structure = wb.molecules.secondary_structure{2}
print("strand A: " .. structure.chains.A)

local scenarios = wb.pathcase.smda{"w-glycolysis", page_size = 0}
print(("%s: %d processes, %s scenarios"):format(scenarios.network, scenarios.processes, scenarios.count))

local lab = wb.openbis.sync{}
local hits = wb.openbis.search{"kinase"}
print(("lab: %d entities, %d with 'kinase', first %s"):format(lab.entities, #hits, hits[1].summaryHeader))

local person = wb.wsabi.person_add{first_name = "Ada", last_name = "Lovelace"}
local item = wb.wsabi.item_add{person.id, submodality = "RightIndexFlat", sensor = arg[1]}
local capture = wb.wsabi.capture{item.id}
print(person.name .. ": " .. item.title .. " " .. capture.items[1].outcome)
