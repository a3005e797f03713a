module standin

go 1.19
